"""Japanese for what the command line says in words of its own."""

from __future__ import annotations

from collections.abc import Mapping

MESSAGES: Mapping[str, str] = {
    "Column {column!r} has {count:missing value|missing values}; allow them in the plan (missing = true), and they will be protected like any other value.": "列{column!r}に {count:,} 個の欠測があります。計画で欠測を許せば（missing = true）、ほかの値と同じように保護されます。",
    '{column!r} has {size:,} categories without order or hierarchy, and clusters take at most {labels}; give it a hierarchy in the plan, or make it coarser first (a step "recode" under [[prepare]]).': '{column!r}には順序も階層もない区分が {size:,} 個ありますが、クラスタ化で扱えるのは {labels} 個までです。計画で階層を与えるか、先に粗くしてください（[[prepare]] の手順 "recode"）。',
    "The step {step!r} is for identifiers, and {column!r} has the role {role!r}; give it the role 'identifier', or take the step 'recode' to make it coarser or 'drop' to leave it out.": "手順{step!r}は識別子のためのものですが、{column!r}の役割は{role!r}です。役割を 'identifier' にするか、手順 'recode' で粗くするか、'drop' で除いてください。",
    "{changed} had been made coarser before the method, and only the plan says from what; give --plan in place of --original.": (
        "{changed}は手法の前に粗くされており、元の値は計画にしか記されていません。--original の代わりに --plan を指定してください。"
    ),
    "the step top_bottom_code needs low, high or both.": 'step = "top_bottom_code" には low、high、またはその両方が必要です。',
    "the step top_bottom_code needs numbers or dates, and {column!r} has none.": 'step = "top_bottom_code" には数値か日付が必要ですが、{column!r}はどちらでもありません。',
    "the step top_bottom_code of {column!r} needs a step in the domain of the column.": 'step = "top_bottom_code" には、{column!r}の定義域に step が必要です。',
    "the step top_bottom_code of {column!r}: low must not be above high.": '{column!r}の step = "top_bottom_code"：low は high 以下でなければなりません。',
    "the step top_bottom_code of {column!r}: {bound} is not one of its values.": '{column!r}の step = "top_bottom_code"：{bound} はこの列の値ではありません。',
    "the step recode needs a hierarchy for {column!r}; write hierarchy below domain in the section of the column, or in the step.": (
        'step = "recode" には{column!r}の階層が必要です。列の節の domain の下か、その step に hierarchy を書いてください。'
    ),
    'split shares the budget among columns that every row tells; write tells = "all" too, or leave it out.': (
        'split は、すべての行が伝える列に予算を配分します。tells = "all" も書くか、split を除いてください。'
    ),
    '{kept}, released unchanged, may show which rows belong to one person, which kept = "unknown" cannot allow; use kept = "known" or kept = "perturb", or drop it.': (
        'そのまま公開される{kept}から、どの行が同じ人のものかが分かるおそれがあり、kept = "unknown" では許されません。kept = "known" または kept = "perturb" を使うか、列を除いてください。'
    ),
    '{kept}, released unchanged, may show which rows belong to one household, which kept = "unknown" cannot allow; use kept = "known" or kept = "perturb", or drop it.': (
        'そのまま公開される{kept}から、どの行が同じ世帯のものかが分かるおそれがあり、kept = "unknown" では許されません。kept = "known" または kept = "perturb" を使うか、列を除いてください。'
    ),
    "the method pk_perturbation needs k, epsilon, or both.": "手法 pk_perturbation には、k か epsilon、またはその両方を指定してください。",
    "attack plays against perturbed or sampled releases; for generalized rows the equivalence classes show the risk, and tokumei report PLAN counts them.": "attack は、攪乱または標本抽出された公開データのためのものです。一般化された行のリスクは同値類に表れるので、tokumei report PLAN で数えてください。",
    "collation looks at rows generalized to labels; tokumei attack plays against perturbed or sampled releases.": "collation は、ラベルに一般化された行のためのものです。攪乱または標本抽出された公開データには、tokumei attack を使ってください。",
    "The engine 'spark' reads files, not databases; use the engine 'stream' (--engine stream).": "実行エンジン 'spark' が読み込むのはファイルであり、データベースではありません。実行エンジン 'stream' を使ってください（--engine stream）。",
    'the partition "lattice" has too many boxes with this many columns; use partition = "nearest_groups".': '分割 "lattice" は、列が多いため範囲の数が多すぎます。partition = "nearest_groups" としてください。',
    'The partition "near_exact" takes at most {most_rows:,} rows and a k of at most {largest_k}. Got {rows:,} rows and k = {k}; use partition = {{ kind = "local_search", thorough = true }}.': '分割 "near_exact" で扱えるのは {most_rows:,} 行まで、k は {largest_k} までです。指定されたのは {rows:,} 行、k = {k} です。partition = {{ kind = "local_search", thorough = true }} としてください。',
    '{notion} does not hold: the boxes of classes overlap, so that rows of one may stand for people of another; take partition = {{ kind = "mondrian", strict = true }} or partition = "optimal", whose boxes do not overlap.': '{notion}が成り立ちません。同値類の範囲が重なり、ある同値類の行が別の同値類の人を表しうるためです。範囲の重ならない partition = {{ kind = "mondrian", strict = true }} または partition = "optimal" としてください。',
    'delta-presence does not hold: somebody in the population is in the table with a probability of {low} only, and delta_min asks for more; take partition = "optimal", or ask for less.': 'δ-存在秘匿性が成り立ちません。母集団には、表に含まれる確率が {low} しかない人がいますが、delta_min はそれより大きい値です。partition = "optimal" とするか、条件を緩めてください。',
    'a sample of groups cannot also count on equivalence classes of known columns, since how many rows of a class are drawn is chance; perturb the kept columns (kept = "perturb"), drop them, or use method = "pk_perturbation".': 'グループからの標本では、同値類から何行が抽出されるかが偶然で決まるため、既知の列の同値類も前提とすることはできません。そのまま公開する列も攪乱するか（kept = "perturb"）、その列を除くか、method = "pk_perturbation" としてください。',
    'groups of people with several rows cannot also count on equivalence classes of known columns; perturb the kept columns (kept = "perturb"), drop them, or use method = "pk_perturbation".': '一人が複数の行を持つ場合のグループでは、既知の列の同値類も前提とすることはできません。そのまま公開する列も攪乱するか（kept = "perturb"）、その列を除くか、method = "pk_perturbation" としてください。',
    "the rows are not those of households: they need columns such as 'age.1', 'age.2' for each member, as tokumei survey widen makes them.": "世帯の行ではありません。tokumei survey widen が作るように、世帯員ごとに 'age.1'、'age.2' のような列が必要です。",
}
