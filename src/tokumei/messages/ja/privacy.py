"""Japanese for what is said by guarantees and constraints."""

from __future__ import annotations

from collections.abc import Mapping

MESSAGES: Mapping[str, str] = {
    (
        "The duty {name!r} must be a number above 0, such as 1/10, and a probability unless it is an epsilon. "
        "Got {given!r}."
    ): "義務{name!r}には、1/10 のような 0 より大きい数を指定してください。ε 以外は確率です。指定された値は{given!r}です。",
    "There is no rung called {name!r}; there are {rungs}.{hint}": "{name!r}という段階はありません。あるのは{rungs}です。{hint}",
    "The duty {name!r} is given twice.": "義務{name!r}が二度指定されています。",
    "The duty is empty; name a rung and a number, such as 'linking 1/10'.": "義務が空です。'linking 1/10' のように、段階と数を指定してください。",
    "Duties are a rung and a number each, such as 'linking 1/10, inference 1/2'. Got {part!r}.": "義務は 'linking 1/10, inference 1/2' のように、段階と数の組で指定してください。指定された値は{part!r}です。",
    "A release does not say how many rows a person has, so it cannot be combined with others.": "ある公開データには 1 人が何行もつかが示されていないため、ほかと組み合わせられません。",
    "A release makes a guarantee that this version cannot check, so it is not combined; upgrade tokumei.": "ある公開データの保証をこのバージョンでは確認できないため、組み合わせません。tokumei を更新してください。",
    (
        "Some of the releases are of people with several rows, and others assume one row per person; make all of "
        "them from a schema with the person column."
    ): (
        "複数の行をもつ人についての公開データと、1 人 1 行を前提とする公開データが混ざっています。すべてを、"
        "個人を区別する列のあるスキーマから作成してください。"
    ),
    "The pages of proofs are missing from this installation; install tokumei again.": "このインストールには証明のページがありません。tokumei をインストールし直してください。",
    "There is another way to recount {notion!r}.": "{notion!r}の数え直し方がすでにあります。",
    "There is no proof called {name!r}; there are {proofs}.{hint}": "{name!r}という証明はありません。あるのは {proofs} です。{hint}",
    "a constraint names {column!r}, which is not a column of the table.{hint}": "制約に{column!r}が指定されていますが、表にこの列はありません。{hint}",
    "a sample of {sample:,} cannot be drawn from {rows:,} rows.": "{rows:,} 行から {sample:,} 行の標本を抽出することはできません。",
    "an attacker cannot know {known:,} of {rows:,} people.": "攻撃者が {rows:,} 人のうち {known:,} 人を知っていることはありえません。",
    "a constraint names {value!r}, which is not a value of {column!r}.{hint}": "制約に{value!r}が指定されていますが、{column!r}にこの値はありません。{hint}",
    "alpha must be above 0 and at most 1. Got {alpha:g}.": "alpha は 0 より大きく 1 以下でなければなりません。指定された値は {alpha:g} です。",
    "values must name at least one value of the column, and each once.": "values には、列の値を一つ以上、重複なく指定してください。",
    (
        "delta_min and delta_max must be probabilities, delta_max above 0 and not below delta_min. Got {low:g} and {high:g}."
    ): (
        "delta_min と delta_max は確率でなければならず、delta_max は 0 より大きく delta_min 以上でなければなりません。指定された値は {low:g} と {high:g} です。"
    ),
    (
        "The table has more rows than the population in {short:class|classes}; the population must contain everyone in the table, "
        "with the same values."
    ): (
        "{short:,} 個の同値類で、表の行数が母集団の人数より多くなっています。母集団には、表に含まれる全員が同じ値で含まれていなければなりません。"
    ),
    (
        "{rows:row was|rows were} left out, and the population has fewer people with such values; the population must contain "
        "everyone in the table, with the same values."
    ): (
        "{rows:,} 行が除かれましたが、そのような値をもつ人は母集団にそれだけいません。母集団には、表に含まれる全員が同じ値で含まれていなければなりません。"
    ),
    "beta must be above 0. Got {beta:g}.": "beta は 0 より大きくなければなりません。指定された値は {beta:g} です。",
    "c must be above 0. Got {c:g}.": "c は 0 より大きくなければなりません。指定された値は {c:g} です。",
    "c must be given for kind='recursive', and only then.": "c は kind='recursive' のときに、またそのときだけ指定してください。",
    "combine needs at least two releases.": "combine には、少なくとも二つの公開データが必要です。",
    "combine needs releases that each guarantee Pk-anonymity.": "combine には、それぞれが Pk-匿名性を保証する公開データが必要です。",
    "combine takes a list of releases, such as those that read_release returns.": "combine には、read_release が返すような公開データのリストを指定してください。",
    "delta must be above 0. Got {delta:g}.": "delta は 0 より大きくなければなりません。指定された値は {delta:g} です。",
    "delta must be a number between 0 and 1, far below 1 / rows. Got {delta:g}.": "delta は 0 と 1 の間で、行数分の 1 よりはるかに小さい数でなければなりません。指定された値は {delta:g} です。",
    "epsilon must be a number above 0. Got {epsilon:g}.": "epsilon は 0 より大きい数でなければなりません。指定された値は {epsilon:g} です。",
    "epsilon must be between {smallest:g} and {largest:g}. Got {epsilon:g}.": "epsilon は {smallest:g} と {largest:g} の間でなければなりません。指定された値は {epsilon:g} です。",
    (
        "k = {k:g} is not possible: an attacker who knows {known:,} of {rows:,} people links a single released "
        "row with probability {known:,}/{rows:,} at best, so the largest k is {largest:.6g}."
    ): (
        "k = {k:g} は実現できません。{rows:,} 人のうち {known:,} 人を知る攻撃者は、公開された行が一つでも最大で "
        "{known:,}/{rows:,} の確率で結び付けられるため、k の最大値は {largest:.6g} です。"
    ),
    (
        "k = {k:g} is not possible: {hiding}, of which {most:,} may belong to one person, so the largest k is "
        "{largest:g}."
    ): (
        "k = {k:g} は実現できません。{hiding}、そのうち {most:,} 行が 1 人のものでありうることから、k の最大値は "
        "{largest:g} です。"
    ),
    "k = {k:g} is not possible: {hiding}, so the largest k is {among}.": "k = {k:g} は実現できません。{hiding}、k の最大値は {among} です。",
    "k must be a number above 1; with k = 1, anyone may be linked with certainty. Got {k:g}.": (
        "k は 1 より大きい数でなければなりません。k = 1 では、誰でも確実に結び付けられるおそれがあります。"
        "指定された値は {k:g} です。"
    ),
    "k must be a number of at least 1. Got {k:g}.": "k は 1 以上の数でなければなりません。指定された値は {k:g} です。",
    "l must be at least 1. Got {l:g}.": "l は 1 以上でなければなりません。指定された値は {l:g} です。",
    "shared must be between 1 and known. Got {shared}.": "shared は 1 から known まででなければなりません。指定された値は {shared} です。",
    "split gives every column a weight of 0; give at least one column a larger weight.": "split で、すべての列の重みが 0 になっています。少なくとも一つの列により大きな重みを与えてください。",
    "split gives no weight to {lacking}.": "split に{lacking}の重みがありません。",
    "split names {name!r}, which is not perturbed.{hint}": "split に{name!r}がありますが、この列は攪乱されません。{hint}",
    "t must lie between 0 and 1. Got {t:g}.": "t は 0 と 1 の間でなければなりません。指定された値は {t:g} です。",
    (
        "the cells of {column!r} differ where its domain does not tell them apart, so equivalence classes cannot "
        "be judged by what is released; declare a step that fits, or recode it."
    ): (
        "{column!r}には定義域では区別されない異なるセルがあるため、公開される値で同値類を判定できません。合う "
        "step を宣言するか、再符号化してください。"
    ),
    "the hierarchical distance of {column!r} needs a hierarchy in the schema.": "{column!r}の階層的な距離には、スキーマに階層が必要です。",
    (
        "the ordered distance of {column!r} needs categories declared as ordered; declare them so, or use "
        "distance='equal'."
    ): (
        "{column!r}の順序による距離には、順序があると宣言された区分が必要です。そのように宣言するか、"
        "distance='equal' を使ってください。"
    ),
    "the table has {rows:row|rows}": "表は {rows:,} 行なので",
    "the weight of {name!r} in split must be a number of at least 0. Got {weight}.": "split に指定する{name!r}の重みは、0 以上の数でなければなりません。指定された値は {weight} です。",
    "values must be at least 2. Got {values}.": "values は 2 以上でなければなりません。指定された値は {values} です。",
    "{name} must be a whole number of at least 1. Got {value}.": "{name} は 1 以上の整数でなければなりません。指定された値は {value} です。",
    (
        "{notion} of {value:g} was asked for and would not hold, so nothing is released; ask for less, and "
        "please report how this happened."
    ): (
        "{value:g} の {notion} が求められましたが成り立たないため、何も公開しません。条件を緩めてください。また、"
        "どのように起きたかをご報告ください。"
    ),
}
