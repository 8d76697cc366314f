"""Japanese for what the command line says in words of its own."""

from __future__ import annotations

from collections.abc import Mapping

MESSAGES: Mapping[str, str] = {
    "Column {column!r} has {count:missing value|missing values}; allow them in the plan (missing = true), and they will be protected like any other value.": "列{column!r}に {count:,} 個の欠測があります。計画で欠測を許せば（missing = true）、ほかの値と同じように保護されます。",
    '{column!r} has {size:,} categories without order or hierarchy, and clusters take at most {labels}; give it a hierarchy in the plan, or make it coarser first (a step "recode" under [[prepare]]).': '{column!r}には順序も階層もない区分が {size:,} 個ありますが、クラスタ化で扱えるのは {labels} 個までです。計画で階層を与えるか、先に粗くしてください（[[prepare]] の手順 "recode"）。',
    "The step {step!r} is for identifiers, and {column!r} has the role {role!r}; give it the role 'identifier', or take the step 'recode' to make it coarser or 'drop' to leave it out.": "手順{step!r}は識別子のためのものですが、{column!r}の役割は{role!r}です。役割を 'identifier' にするか、手順 'recode' で粗くするか、'drop' で除いてください。",
    "the method pk_perturbation needs k, epsilon, or both.": "手法 pk_perturbation には、k か epsilon、またはその両方を指定してください。",
    "attack plays against perturbed or sampled releases; for generalized rows the equivalence classes show the risk, and tokumei report PLAN counts them.": "attack は、攪乱または標本抽出された公開データのためのものです。一般化された行のリスクは同値類に表れるので、tokumei report PLAN で数えてください。",
    "collation looks at rows generalized to labels; tokumei attack plays against perturbed or sampled releases.": "collation は、ラベルに一般化された行のためのものです。攪乱または標本抽出された公開データには、tokumei attack を使ってください。",
    "The engine 'spark' reads files, not databases; use the engine 'stream' (--engine stream).": "実行エンジン 'spark' が読み込むのはファイルであり、データベースではありません。実行エンジン 'stream' を使ってください（--engine stream）。",
    "the rows are not those of households: they need columns such as 'age.1', 'age.2' for each member, as tokumei survey widen makes them.": "世帯の行ではありません。tokumei survey widen が作るように、世帯員ごとに 'age.1'、'age.2' のような列が必要です。",
}
