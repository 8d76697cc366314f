"""Japanese for what is said by methods that anonymize."""

from __future__ import annotations

from collections.abc import Mapping

MESSAGES: Mapping[str, str] = {
    "PkPerturbation needs k, epsilon, or both.": "PkPerturbation には、k か epsilon、またはその両方を指定してください。",
    "epsilon = {epsilon:g} cannot be guaranteed: {reason}.": "epsilon = {epsilon:g} は保証できません。{reason}。",
    "epsilon = {epsilon:g} cannot be guaranteed: all rows may belong to one person.": "epsilon = {epsilon:g} は保証できません。すべての行が 1 人のものである可能性があります。",
    "{kept} would be released unchanged, and every column must be perturbed; use kept='perturb', or drop it": "{kept}がそのまま公開されますが、すべての列を攪乱する必要があります。kept='perturb' とするか、列を外してください",
    "the domain of {observed} was read from the data; declare it": "{observed}の定義域がデータから読み取られています。定義域を指定してください",
    "it is not known for this kind of sample; give the number of rows to be drawn, or their share": "この種類の標本については値が知られていません。抽出する行数か割合を指定してください",
    "how many rows a person has was counted in the data; declare it (most=)": "1 人が何行もつかがデータから数えられています。指定してください（most=）",
    "rows would be shuffled in blocks only; shuffle all rows (shuffle='rows')": "行の並べ替えがブロックの中に限られます。すべての行を並べ替えてください（shuffle='rows'）",
    "the noise would be chosen by looking at the data; choose it without them": "ノイズがデータを見て選ばれます。データを見ずに選んでください",
    "a target is for pairs; leave it out where the purpose is marginals.": "target は 2 列の表のためのものです。purpose が marginals の場合は外してください。",
    "Auto: {target!r} is not released.{hint}": "Auto：{target!r}は公開されません。{hint}",
    (
        " The matrix of {name!r} has {zeros:zero|zeros} where other values have none (the first in the row of "
        "value {row}, column {column}): such a release rules people out, so nothing is guaranteed."
    ): (
        "{name!r}の行列には、ほかの値では 0 でないのに 0 になっている要素が {zeros:,} 個あります（最初のものは "
        "{row} 番目の値の行、{column} 列目）。このような公開データからは誰でないかが分かるため、"
        "何も保証されません。"
    ),
    (
        " The matrix of {name!r} has {zeros:zero|zeros} where other values have none (the first in the row of "
        "{label!r}, column {column}): such a release rules people out, so nothing is guaranteed."
    ): (
        "{name!r}の行列には、ほかの値では 0 でないのに 0 になっている要素が {zeros:,} 個あります（最初のものは"
        "{label!r}の行、{column} 列目）。このような公開データからは誰でないかが分かるため、何も保証されません。"
    ),
    "A stratum of {column!r} has {n:,} rows, so {wanted:,} cannot be drawn from it.": "{column!r}のある層には {n:,} 行しかないため、{wanted:,} 行を抽出できません。",
    "Banded needs ordered categories, and those of {column!r} are not.": "Banded には順序のある区分が必要ですが、{column!r}の区分には順序がありません。",
    "Every row would be left out; ask for less, or give the columns coarser levels.": "すべての行が削除されてしまいます。条件を緩めるか、列により粗い段を与えてください。",
    "PRAM needs a column of categories, and {name!r} is not one; recode it first.": "PRAM には区分の列が必要ですが、{name!r}は区分の列ではありません。先に再符号化してください。",
    "Rates can be published only if the domains are those of the published release.": "割合を公開できるのは、定義域が既存の公開データのものである場合だけです。",
    "Subsets: columns must name at least one column, each once.": "Subsets：columns には、少なくとも一つの列を、それぞれ一度だけ指定してください。",
    "The matrix of {name!r} cannot be used: {error}": "{name!r}の行列は使えません。{error}",
    (
        "The matrix of {name!r} must have {rows:row|rows} and {outputs:column|columns}. Got {found_rows} and "
        "{found_columns}."
    ): (
        "{name!r}の行列は {rows:,} 行 {outputs:,} 列でなければなりません。指定されたのは {found_rows} 行 "
        "{found_columns} 列です。"
    ),
    ("The method asks for all rows in one memory and did not say in needs() that it does; use the local engine."): (
        "この手法はすべての行をメモリ上で必要としますが、needs() でそれを宣言していません。"
        "ローカルの実行エンジンを使ってください。"
    ),
    "columns names {name!r}, which is not a column of the table.{hint}": "columns に{name!r}が指定されていますが、表にこの列はありません。{hint}",
    "an attacker may know {lacking}, so every quasi-identifier must be swapped; name it in columns too.": "攻撃者は{lacking}を知っているかもしれないため、準識別子はすべて入れ替えなければなりません。columns に加えてください。",
    (
        "{partition} puts {alone:row|rows} into no group, and rows that swap with nobody are not protected; take another partition."
    ): "{partition} では {alone:,} 行がどのグループにも入らず、入れ替える相手のない行は保護されません。別の分割を使ってください。",
    "{partition} makes groups of fewer than {k} rows; take another partition.": "{partition} は {k} 行未満のグループを作ります。別の分割を使ってください。",
    "The population does not fit: {problem}": "母集団の表が合いません。{problem}",
    (
        "{kind} needs the population: a table with the quasi-identifiers, or the path of its file."
    ): "{kind} には母集団が必要です。準識別子をもつ表か、そのファイルのパスを指定してください。",
    (
        "averages do not say which people of a population a row may belong to; take cells='interval', or leave out the "
        "constraints that name a population."
    ): "平均からは、行が母集団のどの人のものでありうるかがわかりません。cells='interval' を使うか、母集団を指定する制約を外してください。",
    (
        "{notion} does not hold: the boxes of classes overlap, so that rows of one may stand for people of "
        "another; take a partition whose boxes do not overlap, such as Mondrian(strict=True) or Optimal()."
    ): (
        "{notion} が成り立ちません。同値類の範囲が重なっているため、ある同値類の行が別の同値類の人を指しうるからです。範囲が重ならない分割"
        "（Mondrian(strict=True) や Optimal() など）を使ってください。"
    ),
    (
        "delta-presence does not hold: somebody in the population is in the table with a probability of {low} only, and "
        "delta_min asks for more; take Optimal(), or ask for less."
    ): (
        "δ-存在秘匿性が成り立ちません。母集団には、表に含まれる確率が {low} しかない人がいますが、delta_min はそれより大きい値を求めています。"
        "Optimal() を使うか、条件を緩めてください。"
    ),
    (
        "{notion} does not hold: the released rows have {letter} = {worst} in the population; allow more suppression, or ask for less."
    ): "{notion} が成り立ちません。公開される行は母集団の中で {letter} = {worst} です。秘匿をさらに許すか、条件を緩めてください。",
    "The pilot does not fit: {problem}": "予備データが合いません。{problem}",
    "The pilot has too few rows to learn from; give at least {least_rows}.": "予備データの行が少なすぎて学習できません。少なくとも {least_rows} 行を指定してください。",
    "The stratum {label!r} of {column!r} has {n:,} rows, so {wanted:,} cannot be drawn from it.": "{column!r}の層{label!r}には {n:,} 行しかないため、{wanted:,} 行を抽出できません。",
    "There is nothing to perturb: the schema has no quasi-identifier.": "スキーマに準識別子がないため、攪乱するものがありません。",
    "There is nothing to split: the schema has no quasi-identifier.": "スキーマに準識別子がないため、配分するものがありません。",
    "These matrices guarantee next to nothing (k = {guaranteed}). Make them noisier, leave columns out, or release a smaller sample; with k set, nothing weaker is released.": (
        "これらの行列はほとんど何も保証しません（k = {guaranteed}）。ノイズを強めるか、列を除くか、公開する標本を小さくしてください。k を指定すれば、それより弱いものは公開されません。"
    ),
    "These matrices guarantee nothing (k = 1).{zeros}": "これらの行列は何も保証しません（k = 1）。{zeros}",
    (
        "a Bernoulli sample may contain everyone, so nothing is guaranteed for certain; choose a fixed size, or "
        "give delta (a guarantee that fails with that probability) or redraw_above (draw again above that size)."
    ): (
        "ベルヌーイ抽出では全員が標本に入る可能性があるため、確実な保証は何もありません。大きさを固定するか、"
        "delta（保証が破れる確率）または redraw_above（この大きさを超えたら引き直す）を指定してください。"
    ),
    "a person hides among {rows:row|rows}": "一人の候補となる行は {rows:,} 行なので",
    "a row cannot tell {columns} columns, since only {perturbed} are perturbed; tell fewer.": (
        "攪乱される列は {perturbed} 個しかないため、1 行で {columns} 個の列を示すことはできません。"
        "数を減らしてください。"
    ),
    "a sample needs at least one row.": "標本には少なくとも 1 行が必要です。",
    "a sample needs at least one row. Got {size}.": "標本には少なくとも 1 行が必要です。指定された値は {size} です。",
    "a sample of {size:,} cannot be drawn from {rows:,} rows.": "{rows:,} 行から {size:,} 行の標本を抽出することはできません。",
    "a sampling rate must be above 0 and at most 1. Got {size:g}.": "抽出率は 0 より大きく 1 以下でなければなりません。指定された値は {size:g} です。",
    "a transition matrix must have rows of one length.": "遷移行列の行は、すべて同じ長さでなければなりません。",
    "columns names no column to change.": "columns に、変更する列が一つも指定されていません。",
    "decay must be above 0 and at most 1. Got {decay:g}.": "decay は 0 より大きく 1 以下でなければなりません。指定された値は {decay:g} です。",
    ("declare how many rows a person may have (most=... of {name!r}): the pilot does not say this about the table."): (
        "1 人が最大で何行もちうるかを宣言してください（{name!r}の most=...）。予備データからは、"
        "表全体についてそれが分かりません。"
    ),
    "delta must lie between 0 and 1. Got {delta:g}.": "delta は 0 と 1 の間でなければなりません。指定された値は {delta:g} です。",
    "edges are rounded only for numbers and dates, and {name!r} has categories.": "edges で端を丸められるのは数値と日付だけですが、{name!r}は区分の列です。",
    "edges names {name!r}, which is not perturbed.{hint}": "edges に{name!r}がありますが、この列は攪乱されません。{hint}",
    "even the whole table as one group does not satisfy the constraints; ask for less.": "表全体を一つのグループにしても制約を満たしません。条件を緩めてください。",
    (
        'the transition of {column!r} needs its parameters beside its kind, such as {{ kind = "banded", keep = 0.6 }}, or a matrix of numbers.'
    ): '{column!r}の遷移には、種類とともにそのパラメータが必要です。{{ kind = "banded", keep = 0.6 }} のように書くか、数値の行列を指定してください。',
    "give a matrix of numbers, or a transition.": "数値の行列、または遷移を指定してください。",
    (
        "a sample of groups cannot also count on equivalence classes of known columns, since how many rows of a class are "
        "drawn is chance; perturb the kept columns (kept='perturb'), drop them, or use PkPerturbation."
    ): (
        "グループごとに標本を抽出するときは、知られている列の同値類をあわせて使うことはできません。"
        "同値類から何行が抽出されるかは偶然で決まるからです。そのまま公開する列を攪乱する（kept='perturb'）か、列を外すか、"
        "PkPerturbation を使ってください。"
    ),
    (
        "k = {k:g} does not hold in every stratum: one has {outside:,} people who are not drawn, which guarantees k = "
        "{guaranteed}, and {needed:,} would be needed; draw fewer rows there, or merge strata."
    ): (
        "k = {k:g} が成り立たない層があります。抽出されない人が {outside:,} 人の層では k = {guaranteed} しか保証されず、"
        "{needed:,} 人が必要です。その層から抽出する行を減らすか、層を統合してください。"
    ),
    (
        "groups of people with several rows cannot also count on equivalence classes of known columns; perturb "
        "the kept columns (kept='perturb'), drop them, or use PkPerturbation."
    ): (
        "複数の行をもつ人がいるときは、グループごとの攪乱で、"
        "知られている列の同値類をあわせて使うことはできません。そのまま公開する列を攪乱する（kept='perturb'）か、"
        "列を除くか、PkPerturbation を使ってください。"
    ),
    "importance names {name!r}, which is not a quasi-identifier.{hint}": "importance に{name!r}がありますが、この列は準識別子ではありません。{hint}",
    "in the sample a person can hide among {rows:row|rows}": "標本の中で一人の候補となりうる行は {rows:,} 行なので",
    (
        "k = {k:g} does not hold for {released:,} of {rows:,} rows, which guarantee k = {guaranteed}; draw at "
        "most {largest:,}."
    ): (
        "{rows:,} 行から {released:,} 行を公開すると k = {guaranteed} までしか保証されず、k = {k:g} "
        "は成り立ちません。抽出を {largest:,} 行以下にしてください。"
    ),
    (
        "k = {k:g} does not hold: these matrices guarantee k = {guaranteed}.{zeros} Make them noisier, or "
        "release a smaller sample."
    ): (
        "これらの行列が保証するのは k = {guaranteed} までで、k = {k:g} は成り立ちません。{zeros}"
        "ノイズを増やすか、標本を小さくしてください。"
    ),
    "k = {k} does not hold: a person would have more than 1 in {k} rows of an equivalence class.": "k = {k} は成り立ちません。ある同値類で、1 人の行が {k} 行に 1 行を超えて含まれてしまいます。",
    "k = {k} does not hold: a row would agree with only {found:row|rows}.": "k = {k} は成り立ちません。一致する行が {found:,} 行しかない行が残ってしまいます。",
    "k = {k} does not hold: the smallest equivalence class would have {found:row|rows}.": "k = {k} は成り立ちません。最小の同値類が {found:,} 行になってしまいます。",
    "k is as large as possible: all noise is uniform, and there is nothing to split.": "k がとりうる最大の値であり、すべてのノイズが一様になるため、配分するものがありません。",
    "k is so near to the number of rows that no noise achieves it; ask for a smaller k.": "k が行数に近すぎて、どのようなノイズでも実現できません。より小さい k を指定してください。",
    "k must be a whole number of at least 2. Got {k}.": "k は 2 以上の整数でなければなりません。指定された値は {k} です。",
    "keep must lie between 0 and 1. Got {keep:g}.": "keep は 0 と 1 の間でなければなりません。指定された値は {keep:g} です。",
    "known must be at least 1. Got {known}.": "known は 1 以上でなければなりません。指定された値は {known} です。",
    "leave the constraints out": "制約を外す",
    "no row would be drawn from any stratum.": "どの層からも 1 行も抽出されません。",
    "in groups a row tells values of its group's box, and nothing coarser; leave cells out, and recode the column first (Recode) where it should be coarser.": (
        "グループの中では、各行はグループの範囲内の値そのものを示し、より粗い区分では示しません。cells を外し、粗くしたい列は先に Recode で再符号化してください。"
    ),
    "the groups have {clusters:,} different clusters of columns together, and at most {most_clusters:,} can be told apart; tell fewer columns, or name them.": (
        "グループ全体で列の組が {clusters:,} 通りありますが、区別できるのは {most_clusters:,} 通りまでです。示す列の数を減らすか、列名を指定してください。"
    ),
    "no row would tell {lost!r}; name it in tells, or drop the column.": "どの行からも{lost!r}が分かりません。tells に加えるか、列を除いてください。",
    "no sample within the size was drawn; raise rate or redraw_above.": "大きさに収まる標本を抽出できませんでした。rate または redraw_above を大きくしてください。",
    "of the rows that are not left out, some equivalence class has {rows:row|rows}": "削除されない行による、ある同値類は {rows:,} 行なので",
    "publish counts quasi-identifiers, and the schema has none.": "publish は準識別子の値を数えますが、スキーマに準識別子がありません。",
    "publish names {name!r} twice.": "publish に{name!r}が 2 回指定されています。",
    "publish names {name!r}, which is not a quasi-identifier.{hint}": "publish に{name!r}がありますが、この列は準識別子ではありません。{hint}",
    "publishing rates": "割合の公開",
    "purpose must be 'marginals', 'pairs' or 'association'. Got {purpose!r}.": (
        "purpose は 'marginals'、'pairs'、'association' のいずれかでなければなりません。指定された値は{purpose!r}です。"
    ),
    "rate must lie between 0 and 1. Got {rate:g}.": "rate は 0 と 1 の間でなければなりません。指定された値は {rate:g} です。",
    "reach must be at least 1. Got {reach}.": "reach は 1 以上でなければなりません。指定された値は {reach} です。",
    "redraw_above is so far below the expected size that drawing might never end; raise it.": (
        "redraw_above が期待される大きさよりはるかに小さいため、抽出が終わらないおそれがあります。大きくしてください。"
    ),
    "redraw_above must be at least 1. Got {redraw_above}.": "redraw_above は 1 以上でなければなりません。指定された値は {redraw_above} です。",
    "size names no stratum.": "size に層が一つも指定されていません。",
    "split shares the budget among columns that every row tells; say tells='all' too, or leave it out.": (
        "split は、すべての行が示す列の間で予算を配分するものです。tells='all' も指定するか、split を外してください。"
    ),
    "take another split, or give it a pilot": "別の配分を使うか、予備データを与える",
    "take partition=Mondrian(strict=True)": "partition=Mondrian(strict=True) を使う",
    "target is for the purpose 'association'.": "target は、purpose が 'association' のときに使います。",
    "target must name a column that is released unchanged, one of {kept}.{hint}": "target には、そのまま公開される列（{kept}）のいずれかを指定してください。{hint}",
    "tells gives cells of {name!r}, which is not perturbed.{hint}": "tells に{name!r}の cells がありますが、この列は攪乱されません。{hint}",
    "tells must have at least one part.": "tells には、少なくとも一つの要素が必要です。",
    "tells names {name!r}, which is not perturbed.{hint}": "tells に{name!r}がありますが、この列は攪乱されません。{hint}",
    "the constraint on {column!r} needs a sensitive column, but it is a quasi-identifier.": "制約には機微な列が必要ですが、制約が指定された{column!r}は準識別子です。",
    "the importance of {name!r} must be above 0 and at most {dearest:,}. Got {weight:g}.": (
        "{name!r}の importance は 0 より大きく {dearest:,} 以下でなければなりません。指定された値は {weight:g} です。"
    ),
    "no matrix is given for {lacking}; give each quasi-identifier one, or drop the column.": "準識別子{lacking}に行列がありません。それぞれに行列を与えるか、列を除いてください。",
    "the schema has no quasi-identifier, so there is nothing to generalize.": "スキーマに準識別子がないため、一般化するものがありません。",
    "the smallest equivalence class of the kept columns has {rows:row|rows}": "そのまま公開する列による最小の同値類は {rows:,} 行なので",
    "the smallest equivalence class of the kept columns {kept} has {rows:row|rows}": "そのまま公開する列{kept}による最小の同値類は {rows:,} 行なので",
    (
        "the step of {name!r} in edges is no wider than the grid of its domain, so it would round nothing; use a "
        "wider one."
    ): (
        "edges に指定された{name!r}の幅が定義域の格子の幅以下なので、何も丸められません。より広い幅を指定してください。"
    ),
    "the step of {name!r} in edges must be a number above 0. Got {width:g}.": "edges に指定する{name!r}の幅は、0 より大きい数でなければなりません。指定された値は {width:g} です。",
    "the strata column {column!r} must have categories; recode it first.": "層の列{column!r}は区分の列でなければなりません。先に再符号化してください。",
    "the transition of {column!r} cannot be used: {text}": "{column!r}の遷移は使えません。{text}",
    "the transition of {column!r}: {problem}": "{column!r}の遷移：{problem}",
    "the weights in tells have no common unit that is large enough; use smaller weights.": "tells の重みに、十分に大きな共通の単位がありません。より小さい重みを使ってください。",
    (
        "there are {subsets:,} subsets of {columns} of {perturbed} columns, and at most {most_clusters:,} can be "
        "told apart; tell fewer columns, or name them."
    ): (
        "{perturbed} 個の列から {columns} 個を選ぶ組合せは {subsets:,} 通りありますが、区別できるのは "
        "{most_clusters:,} 通りまでです。示す列を減らすか、列の名前を指定してください。"
    ),
    "there is no stratum {label!r}.{hint}": "層{label!r}はありません。{hint}",
    (
        "true rates together with wildcards are refused: subtracting the shown cells from them reveals the "
        "suppressed ones; give them an epsilon, or use meaning='own_value'."
    ): (
        "ワイルドカードとともに真の割合を公開することはできません。表示されているセルを差し引くと、"
        "秘匿されたセルが分かってしまうためです。epsilon を与えるか、meaning='own_value' を使ってください。"
    ),
    "{gone:,} of {rows:row|rows} would be left out; recode the columns first, or ask for less.": "{rows:,} 行のうち {gone:,} 行が削除されてしまいます。先に列を再符号化するか、条件を緩めてください。",
    ("{gone:row|rows} would be suppressed{why}, and suppression_limit allows {limit:,}; raise it, or ask for less."): (
        "{gone:,} 行が秘匿されてしまいます{why}が、suppression_limit で許されているのは {limit:,} 行です。"
        "上限を上げるか、条件を緩めてください。"
    ),
    (
        "{kept}, released unchanged, may show which rows belong to one household, which kept='unknown' cannot "
        "allow; use kept='known' or kept='perturb', or drop it."
    ): (
        "そのまま公開される{kept}から、どの行が同じ世帯のものかが分かるおそれがあり、kept='unknown' "
        "では許されません。kept='known' または kept='perturb' を使うか、列を除いてください。"
    ),
    (
        "{kept}, released unchanged, may show which rows belong to one person, which kept='unknown' cannot "
        "allow; use kept='known' or kept='perturb', or drop it."
    ): (
        "そのまま公開される{kept}から、どの行が同じ人のものかが分かるおそれがあり、kept='unknown' "
        "では許されません。kept='known' または kept='perturb' を使うか、列を除いてください。"
    ),
    (
        "{label!r} is a quasi-identifier, and released strata would release it unchanged; hide the labels "
        "(labels='hidden'), or give the column another role."
    ): (
        "{label!r}は準識別子であり、層のラベルを公開するとそのまま公開されてしまいます。"
        "ラベルを隠す（labels='hidden'）か、列に別の役割を与えてください。"
    ),
    "{merged:group|groups} with too few rows for k = {k:g} merged into others.": "k = {k:g} には行が少なすぎた {merged:,} 個のグループを、ほかのグループと統合しました。",
    (
        "{name!r} has a domain or hierarchy that was read from rows, which no epsilon covers; declare it, or "
        "publish its rates without epsilon."
    ): (
        "{name!r}の定義域または階層は行から読み取られたもので、どの epsilon にも含まれません。宣言するか、"
        "epsilon なしで割合を公開してください。"
    ),
    "{name!r} has a matrix, so it cannot be the column of strata.": "{name!r}には行列があるため、層の列にはできません。",
    (
        "{notion} of {column!r} does not hold: the released rows have {letter} = {worst}; allow more "
        "suppression, or ask for less."
    ): (
        "{column!r}の {notion} が成り立ちません。公開される行では {letter} = {worst} です。"
        "より多くの秘匿を許すか、条件を緩めてください。"
    ),
    "{target!r} has only one value in the pilot, so nothing is associated with it.": "{target!r}は予備データで値が一つしかないため、これと関連するものはありません。",
    (
        "{tied:household has|households have} several rows that agree in {others} and with no other household's. An attacker who sees that they belong to one "
        "household can look for one that is in all their equivalence classes. Generalize these columns too, or drop them."
    ): (
        "{tied:,} 世帯が、{others}の値が互いに一致し、ほかのどの世帯とも一致しない複数の行をもっています。"
        "これらが同じ世帯の行だと気付いた攻撃者は、そのすべての同値類に含まれる世帯を探すことができます。"
        "これらの列も一般化するか、除いてください。"
    ),
    (
        "{tied:person has|people have} several rows that agree in {others} and with nobody else's. An attacker "
        "who sees that they belong to one person can look for someone who is in all their equivalence classes. "
        "Generalize these columns too, or drop them."
    ): (
        "{tied:,} 人が、{others}の値が互いに一致し、ほかの誰とも一致しない複数の行をもっています。"
        "これらが同じ人の行だと気付いた攻撃者は、そのすべての同値類に含まれる人を探すことができます。"
        "これらの列も一般化するか、除いてください。"
    ),
    "{columns} have {size:,} combinations of values together, and a row can tell one of at most {most:,}; tell fewer columns, or coarser ones (cells=).": "{columns}には合わせて {size:,} 通りの値の組がありますが、行が示せるのは {most:,} 通りまでです。示す列を減らすか、粗くしてください（cells=）。",
}
