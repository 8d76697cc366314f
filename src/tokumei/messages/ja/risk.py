"""Japanese for what is said by risk and attacks."""

from __future__ import annotations

from collections.abc import Mapping

MESSAGES: Mapping[str, str] = {
    "A column's numbers are on too fine a grid to sum their squares; give it a step.": "ある列の数値の格子が細かすぎて、二乗の和を計算できません。step を指定してください。",
    (
        "Boxes of the release overlap, so it does not determine which original rows are in which group; give the "
        "method instead of the release."
    ): (
        "公開データの範囲が重なっており、元のどの行がどのグループにあるかが決まりません。"
        "公開データの代わりに手法を指定してください。"
    ),
    (
        "Column {name} holds {holds} in the population and {in_table} in the table; convert both to one type, "
        "and generalize both in the same way."
    ): (
        "列{name}の値は、母集団では{holds}、表では{in_table}です。両方を一つの型に変換し、"
        "同じように一般化してください。"
    ),
    (
        "Releases of people with several rows are not compared with others; use tk.assess(table, columns, "
        "person=...) on rows that say whose they are."
    ): (
        "複数の行をもつ人についての公開データは、ほかと比較しません。どの行が誰のものかが分かる行に対して "
        "tk.assess(table, columns, person=...) を使ってください。"
    ),
    "The release is not one of this table, prepared in this way.": "この公開データは、この表をこのように前処理したものではありません。",
    "The release was prepared in steps; give the schema of the original and the steps.": "この公開データには前処理の手順があります。元のデータのスキーマと手順を指定してください。",
    (
        "The rows of this release were shuffled in blocks, and the attack does not know who is in which block, "
        "so the attacker would seem weaker than they are; give the method instead, and a release is drawn with "
        "all rows shuffled."
    ): (
        "この公開データの行はブロックごとに並べ替えられています。"
        "攻撃では誰がどのブロックにいるかが分からないため、攻撃者が実際より弱く見えてしまいます。"
        "代わりに手法を指定すると、すべての行を並べ替えた公開データが作られます。"
    ),
    (
        "The table has more rows than the population in {short:class|classes}; the population must contain "
        "everyone in the table, generalized in the same way."
    ): (
        "{short:,} 個の同値類で、表の行が母集団より多くなっています。母集団には、同じように一般化された、"
        "表の全員が含まれていなければなりません。"
    ),
    "There is no column {weights!r} in the table.{hint}": "表に列{weights!r}はありません。{hint}",
    "assess_release needs a method or a release.": "assess_release には、手法または公開データが必要です。",
    "assess_release needs the schema of the original.": "assess_release には、元のデータのスキーマが必要です。",
    "assess_spark needs a Spark frame, or a release in Spark; tk.assess takes other tables.": (
        "assess_spark には、Spark のデータフレームか、Spark の公開データが必要です。ほかの表には tk.assess "
        "を使ってください。"
    ),
    "at_risk_below must be a whole number of at least 2. Got {at_risk_below!r}.": "at_risk_below は 2 以上の整数でなければなりません。指定された値は{at_risk_below!r}です。",
    "attack needs a method or a release.": "attack には、手法または公開データが必要です。",
    "attack needs the schema of the original.": "attack には、元のデータのスキーマが必要です。",
    (
        "attack plays against perturbed or sampled releases; for generalized rows the equivalence classes show "
        "the risk, and tk.check(release.frame, columns) counts them."
    ): (
        "attack は、攪乱または標本抽出された公開データのためのものです。"
        "一般化された行のリスクは同値類に表れるので、tk.check(release.frame, columns) で数えてください。"
    ),
    (
        "collation_check looks at rows generalized to labels, as by Generalization; the attack (tk.attack, "
        "tokumei attack) plays against perturbed or sampled releases."
    ): (
        "collation_check は、Generalization などによってラベルに一般化された行のためのものです。"
        "攪乱または標本抽出された公開データには、攻撃（tk.attack、tokumei attack）を使ってください。"
    ),
    "collation_check needs a method or a release.": "collation_check には、手法または公開データが必要です。",
    "collation_check needs the schema of the original.": "collation_check には、元のデータのスキーマが必要です。",
    "columns must say what an attacker may know.": "columns には、攻撃者が知りうる列を指定してください。",
    "columns must say what an attacker may know: some columns, or a schema.": "columns には、攻撃者が知りうるものを、いくつかの列またはスキーマで指定してください。",
    "largest must be a whole number of at least 1. Got {largest!r}.": "largest は 1 以上の整数でなければなりません。指定された値は{largest!r}です。",
    "meaning must be 'own_value' or 'wildcard'. Got {meaning!r}.": "meaning は 'own_value' か 'wildcard' でなければなりません。指定された値は{meaning!r}です。",
    (
        "people with several rows are counted in equivalence classes of the table itself; leave out wildcards, "
        "populations and weights."
    ): "複数の行をもつ人は、表自身の同値類の中で数えます。ワイルドカード、母集団、重みは指定しないでください。",
    "person must be the name of the column that says whose row each is.": "person には、どの行が誰のものかを示す列の名前を指定してください。",
    "population must be its number of people, a whole number, or a table of them.": "population には、母集団の人数（整数）またはその表を指定してください。",
    (
        "populations and survey weights are about equivalence classes, which wildcards do not have; use "
        "meaning='own_value'."
    ): (
        "母集団と調査ウェイトは同値類についてのものですが、ワイルドカードに同値類はありません。"
        "meaning='own_value' を使ってください。"
    ),
    "statistics must be 'rates', 'counts' or 'moments'. Got {statistics!r}.": (
        "statistics は 'rates'、'counts'、'moments' のいずれかでなければなりません。指定された値は{statistics!r}です。"
    ),
    "survey weights must add up to a finite number of people.": "調査ウェイトの合計は、有限の人数でなければなりません。",
    (
        "survey weights must be finite numbers of at least 1, since a row stands for its own person; "
        "{wrong:row|rows} {wrong:|has|have} another."
    ): (
        "1 行は少なくとも本人を代表するため、調査ウェイトは 1 以上の有限の数でなければなりませんが、{wrong:,} "
        "行がそうなっていません。"
    ),
    (
        "the equivalence classes of perturbed rows say nothing about their risk; use tk.assess_release with the "
        "original."
    ): ("攪乱された行の同値類からは、リスクは分かりません。元のデータとともに tk.assess_release を使ってください。"),
    "the person column {column!r} cannot be among the columns that are examined.": "個人を区別する列{column!r}は、調べる列に含められません。",
    "the population must be a whole number of people, at least the {rows:,} of the table. Got {population}.": "母集団の人数は、表の {rows:,} 人以上の整数でなければなりません。指定された値は {population} です。",
    (
        "the release is of people with several rows and does not say whose they are, so its equivalence classes "
        "would understate the risk; rely on its guarantee, which counts people."
    ): (
        "この公開データは複数の行をもつ人についてのもので、どの行が誰のものかが示されていないため、"
        "同値類ではリスクが過小に評価されます。人を単位に数えた、公開データの保証を見てください。"
    ),
    "the table has none of the schema's quasi-identifiers.": "表に、スキーマの準識別子が一つもありません。",
    "the weights {weights!r} are among the columns that an attacker may know.": "重み{weights!r}が、攻撃者が知りうる列に含まれています。",
    "threshold must be a probability between 0 and 1. Got {threshold!r}.": "threshold は 0 と 1 の間の確率でなければなりません。指定された値は{threshold!r}です。",
    "weights must be one number for each row.": "weights は、行ごとに一つの数でなければなりません。",
    "{name} must be at least 1, and a whole number. Got {number}.": "{name} は 1 以上の整数でなければなりません。指定された値は {number} です。",
    "{twice!r} is named twice; a column is either known to the attacker or sensitive.": "{twice!r}が 2 回指定されています。列は、攻撃者に知られている列か機微な列かのどちらか一方です。",
}
