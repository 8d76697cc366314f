"""Japanese for what is said by risk and attacks."""

from __future__ import annotations

from collections.abc import Mapping

MESSAGES: Mapping[str, str] = {
    "ladder takes a release; read one with tk.read_release.": "ladder には公開データを渡してください。tk.read_release で読み込めます。",
    "The original has no column {lacking}; is it the table of this release?": "元の表に列{lacking}がありません。この公開データの元の表でしょうか。",
    "a population of {population:,} cannot have {rows:,} rows drawn from it.": "{population:,} 人の母集団から {rows:,} 行を抽出することはできません。",
    "a table of the population cannot be compared with perturbed rows; give its number of people.": "母集団の表は、攪乱された行とは比較できません。母集団の人数を指定してください。",
    "  {rows:>9,} by {size:column|columns together}": "  {rows:>9,} 行：{size} 個の列の組合せで",
    "A column's numbers are on too fine a grid to sum their squares; give it a step.": "ある列の数値の格子が細かすぎて、二乗の和を計算できません。step を指定してください。",
    "A suppressed cell counts as a value of its own, which never understates the risk.": "秘匿されたセルは、それ自体を一つの値として数えています（リスクを過小に見積もることはありません）。",
    "A suppressed cell is taken to agree with any value, which never overstates the risk.": "秘匿されたセルは、どの値とも一致するとみなしています（リスクを過大に見積もることはありません）。",
    "An attacker who knows these columns about everyone links {links:.1%} of the rows correctly, on average.": "全員についてこれらの列を知る攻撃者は、平均して {links:.1%} の行を正しく結び付けます。",
    "At most this: no table of the population was given.": "高くてもこの値です。母集団の表は与えられていません。",
    "Beliefs were computed {ways}.": "確信の計算方法：{ways}。",
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
    "Counted in the population.": "母集団で数えた値です。",
    "Counted, if the people they know are those in the table.": "攻撃者の知る人々が表の人々と同じ場合の、数えた値です。",
    "Counted, if they know everyone in the population.": "攻撃者が母集団の全員を知っている場合の、数えた値です。",
    "Counted.": "数えた値です。",
    "Counted: {people:,.0f} of {population:,} people ({share:.2%}) are unique ({each}).": "数えた値：{population:,} 人のうち {people:,.0f} 人（{share:.2%}）が一意です（{each}）。",
    "Counted; a link to any of the household's rows counts as correct.": "数えた値です。その世帯のどの行に結び付けても、正しいとみなしています。",
    "Counted; a link to any of the person's rows counts as correct.": "数えた値です。その人のどの行に結び付けても、正しいとみなしています。",
    "Estimated ({model}): {people:,.0f} of {population:,} people ({share:.2%}) are unique ({each}).": "推定値（{model}）：{population:,} 人のうち {people:,.0f} 人（{share:.2%}）が一意です（{each}）。",
    "Estimated from the survey weights.": "調査ウェイトから推定した値です。",
    "How much each column contributes (higher is riskier):": "それぞれの列がリスクに寄与する程度（大きいほど危険）：",
    (
        "In the population of {people:,}, every row agrees with at least {k_map:,} of them (k-map); a person is "
        "in the table with a probability from {low:.4g} to {high:.4g} (δ-presence)."
    ): (
        "{people:,} 人の母集団で、どの行も少なくとも {k_map:,} 人と一致します（k-map）。ある人が表にいる確率は "
        "{low:.4g} から {high:.4g} までです（δ-存在秘匿性）。"
    ),
    "Looked at {groups:group|groups} with {rows:row|rows}.": "{rows:,} 行からなる {groups:,} 個のグループを調べました。",
    "Looked at {looked_at:,} of {groups:group|groups} with {rows:row|rows}.": "{groups:,} 個のグループのうち {looked_at:,} 個、{rows:,} 行を調べました。",
    "No row was pinned in the decided groups.": "判定できたグループでは、特定された行はありませんでした。",
    "No row was pinned.": "特定された行はありませんでした。",
    "Nothing is promised against an attacker who knows this much.": "これほど多くを知る攻撃者に対しては、何も保証されていません。",
    "Published: {published}.": "公開するもの：{published}。",
    (
        "Wildcards are not counted for people with several rows; use meaning='own_value', under which a suppressed cell "
        "agrees with suppressed cells only."
    ): (
        "複数の行をもつ人については、ワイルドカードとしての一致は数えません。meaning='own_value' を使ってください。"
        "秘匿されたセルは、秘匿されたセルとだけ一致します。"
    ),
    "At most this: the release does not say whose row each is.": "最大でこの値です。公開データは、どの行が誰のものかを示していません。",
    "Rows that are already unique": "すでに一意である行",
    (
        "Sets of more than {complete:column|columns} were searched for, not all looked at: they may single out more rows."
    ): "{complete} 列を超える組合せは、すべてを調べたのではなく探索しました。これより多くの行を選び出す組合せがあるかもしれません。",
    "Smallest sets of columns that single out the most rows:": "最も多くの行を選び出す、最小の列の組合せ：",
    "The attacker knows the whole original table and the mechanism, but not the draws.": "攻撃者は元の表全体と機構を知っていますが、乱数の値は知りません。",
    "The guarantee is that no link has a probability over 1/{k} = {promised:.4f}.": "どの結び付けの確率も 1/{k} = {promised:.4f} を超えないことが保証されています。",
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
    (
        "There are too many pairs of people and rows to look at all: a random sample of {people:person|people} out of {out_of:,} "
        "was attacked. What the attacker expects has a standard error of {error:.2g}."
    ): (
        "人と行の組が多すぎてすべては調べられないため、{out_of:,} 人から無作為に抽出した {people:,} 人を攻撃しました。"
        "攻撃者が見込む人数の標準誤差は {error:.2g} です。"
    ),
    "There is no column {weights!r} in the table.{hint}": "表に列{weights!r}はありません。{hint}",
    (
        "They belong to {people:household|households} with at most {most:row|rows} each: for households, k = {down}."
    ): "これらは {people:,} 世帯のもので、1 世帯あたり最大 {most:,} 行です。世帯を単位とすると k = {down} です。",
    (
        "They link {linked:,} of {people:household|households} correctly ({share:.3%}; 95% confidence interval: "
        "{low:.3%} to {high:.3%})."
    ): (
        "{people:,} 世帯のうち {linked:,} 世帯が正しく結び付けられました（{share:.3%}、95% 信頼区間：{low:.3%} ～ "
        "{high:.3%}）。"
    ),
    "They belong to {people:person|people} with at most {most:row|rows} each: for people, k = {down}.": "これらは {people:,} 人のもので、1 人あたり最大 {most:,} 行です。人を単位とすると k = {down} です。",
    "They expect to link {expected:,.1f}; their most certain link has a probability of {largest_belief:.4f}.": (
        "攻撃者が結び付けられると見込む人数は {expected:,.1f} 人で、最も確かな結び付けの確率は "
        "{largest_belief:.4f} です。"
    ),
    (
        "They guess {guessed} correctly for {right:.1%} of the people, without the release for {without:.1%}. "
        "The guarantee limits neither this nor knowing who is in the table."
    ): (
        "攻撃者は {guessed} を {right:.1%} の人について正しく推測します（公開データがない場合は {without:.1%}）。"
        "保証は、これも、誰が表にいるかを知られることも制限しません。"
    ),
    (
        "They link {linked:,} of {people:person|people} correctly ({share:.3%}; 95% confidence interval: "
        "{low:.3%} to {high:.3%})."
    ): (
        "{people:,} 人のうち {linked:,} 人が正しく結び付けられました（{share:.3%}、95% 信頼区間：{low:.3%} ～ "
        "{high:.3%}）。"
    ),
    "all-knowing": "すべてを知る攻撃者",
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
    "how often each category occurs in each group, and the mean and variance of each number": "グループごとの各区分の出現数と、各数値の平均と分散",
    "how often each value occurs in each group": "グループごとの各値の出現数",
    "journalist": "できることを示したい人（ジャーナリスト）",
    "largest must be a whole number of at least 1. Got {largest!r}.": "largest は 1 以上の整数でなければなりません。指定された値は{largest!r}です。",
    "marketer": "できるだけ多くを求める人（マーケター）",
    "meaning must be 'own_value' or 'wildcard'. Got {meaning!r}.": "meaning は 'own_value' か 'wildcard' でなければなりません。指定された値は{meaning!r}です。",
    (
        "people with several rows are counted in equivalence classes of the table itself; leave out wildcards "
        "and populations."
    ): "複数の行をもつ人は、表自身の同値類の中で数えます。ワイルドカードや母集団は指定しないでください。",
    "person must be the name of the column that says whose row each is.": "person には、どの行が誰のものかを示す列の名前を指定してください。",
    "population must be its number of people, a whole number, or a table of them.": "population には、母集団の人数（整数）またはその表を指定してください。",
    (
        "populations and survey weights are about equivalence classes, which wildcards do not have; use "
        "meaning='own_value'."
    ): (
        "母集団と調査ウェイトは同値類についてのものですが、ワイルドカードに同値類はありません。"
        "meaning='own_value' を使ってください。"
    ),
    "prosecutor": "特定の一人を探す人（検察官）",
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
    "the released rows, with or without value rates of the whole table": "公開された行（表全体の値の割合を含む場合もあります）",
    "the table has none of the schema's quasi-identifiers.": "表に、スキーマの準識別子が一つもありません。",
    "the weights {weights!r} are among the columns that an attacker may know.": "重み{weights!r}が、攻撃者が知りうる列に含まれています。",
    "threshold must be a probability between 0 and 1. Got {threshold!r}.": "threshold は 0 と 1 の間の確率でなければなりません。指定された値は{threshold!r}です。",
    "weights must be one number for each row.": "weights は、行ごとに一つの数でなければなりません。",
    "{ambiguous:,} cannot: two or more multisets fit.": "{ambiguous:,} 個は復元できません。二通り以上の多重集合が当てはまります。",
    (
        "{name!r} has at least l = {distinct} different values in an equivalence class (as diverse as "
        "{entropy:.3g} equally frequent ones), is up to t = {t:.3f} away from the whole table, and is disclosed "
        "for {disclosed:row|rows}."
    ): (
        "{name!r}は、どの同値類にも少なくとも l = {distinct} 個の異なる値があり（均等な {entropy:.3g} "
        "個の値に相当する多様性）、表全体の分布から最大 t = {t:.3f} 離れており、{disclosed:,} "
        "行で明らかになります。"
    ),
    (
        "{named}: links a row with a probability of up to {highest:.4g}, on average {average:.4g} ("
        "{expected:,.1f} of {rows:row|rows}); {above:row|rows} ({above_share:.2%}) over {threshold:g}. {how}"
    ): (
        "{named}：行を結び付ける確率は最大 {highest:.4g}、平均 {average:.4g} です（{rows:,} 行のうち "
        "{expected:,.1f} 行）。{above:,} 行（{above_share:.2%}）で {threshold:g} を超えます。{how}"
    ),
    "{name} must be at least 1, and a whole number. Got {number}.": "{name} は 1 以上の整数でなければなりません。指定された値は {number} です。",
    "{one}, {other}": "{one}、{other}",
    "{people:,.0f} of {population:,} people ({share:.2%}) are unique.": "{population:,} 人のうち {people:,.0f} 人（{share:.2%}）が一意です。",
    (
        "{pinned:row|rows} in {pinned_groups:group|groups} can be pinned: a value that is counted once belongs "
        "to them and to nobody else. Do not publish these statistics by group."
    ): (
        "{pinned_groups:,} 個のグループの {pinned:,} 行が特定されます。一度だけ数えられた値が、"
        "ほかの誰でもなくその行のものと分かるためです。これらの統計量をグループごとに公開しないでください。"
    ),
    (
        "{resolved:,} can be resolved: one multiset of original records fits, and no other. For {whole:,} of "
        "them that is one set of original rows."
    ): (
        "{resolved:,} 個は復元できます。当てはまる元のレコードの多重集合が一通りしかありません。そのうち "
        "{whole:,} 個では、元の行の集合が一つに決まります。"
    ),
    "{rows:row|rows} in {classes:equivalence class|equivalence classes} by {columns}: k = {k:,}.": "{columns}による同値類は {classes:,} 個（{rows:,} 行）：k = {k:,}。",
    "{rows:row|rows}, seen by an attacker who knows {columns}: k = {k:,}.": "{columns}を知る攻撃者から見た {rows:,} 行：k = {k:,}。",
    "{twice!r} is named twice; a column is either known to the attacker or sensitive.": "{twice!r}が 2 回指定されています。列は、攻撃者に知られている列か機微な列かのどちらか一方です。",
    "{undecided:,} are undecided after {effort:,} steps of the search; a larger effort may decide them.": (
        "{undecided:,} 個は、{effort:,} 回の探索の後も判定できていません。effort "
        "を大きくすれば判定できるかもしれません。"
    ),
    "{unique:row|rows} ({share:.2%}) {unique:|is|are} unique.": "一意な行：{unique:,} 行（{share:.2%}）。",
    (
        "{unique:row|rows} ({unique_share:.1%}) {unique:|is|are} unique; {at_risk:,} ({at_risk_share:.1%}) are "
        "in equivalence classes of fewer than {at_risk_below}."
    ): (
        "一意な行：{unique:,} 行（{unique_share:.1%}）。{at_risk_below} 行未満の同値類にある行：{at_risk:,} 行（"
        "{at_risk_share:.1%}）。"
    ),
    "{unique:row|rows} ({unique_share:.2%}) {unique:|is|are} unique. {suppressed}": "一意な行：{unique:,} 行（{unique_share:.2%}）。{suppressed}",
    (
        "attack plays against perturbed or sampled releases; swapped rows are linked with a probability of one over their group's "
        "rows, as is proved, and groups are private."
    ): "attack は攪乱または標本抽出された公開データに対するものです。入れ替えられた行が結び付けられる確率は、証明されているとおりグループの行数分の 1 であり、グループは非公開です。",
    (
        "the equivalence classes of swapped rows say nothing about their risk; rely on the guarantee of the release."
    ): "入れ替えられた行の同値類はリスクを示しません。公開データの保証を用いてください。",
    (
        "in_population is for generalized rows, whose cells say which people of a population they may belong to."
    ): "in_population は一般化された行、つまり母集団のどの人のものでありうるかをセルが示す行に対するものです。",
    (
        "in_population cannot count suppressed rows: whom their stars may stand for depends on all other rows. With KMap or "
        "DeltaPresence among the constraints, they are left out."
    ): "in_population は秘匿された行を数えられません。星印が誰を指しうるかは、ほかのすべての行によって決まるからです。制約に KMap または DeltaPresence があれば、そのような行は除かれます。",
}
