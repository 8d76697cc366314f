"""Japanese for what is said by tables, schemas, domains and hierarchies."""

from __future__ import annotations

from collections.abc import Mapping

MESSAGES: Mapping[str, str] = {
    "it is not a DDI codebook (XML), or it is damaged": "DDI コードブック（XML）ではないか、壊れています",
    "{file} is a codebook without a variable.": "{file} は変数のないコードブックです。",
    "{file} has {found:,} variables, and at most {most:,} are read.": "{file} には {found:,} 個の変数がありますが、読み込めるのは {most:,} 個までです。",
    "{file} does not exist, or is not a file.": "{file} がないか、ファイルではありません。",
    "{file} is not {encoding} text; give its encoding (--encoding).": "{file} は {encoding} の文字列ではありません。文字コードを指定してください（--encoding）。",
    "{file} is not a codebook: {error}.": "{file} はコードブックではありません：{error}",
    "{file} is not a codebook: its first line must name a column variable, and label, values or both; see the page on codebooks.": (
        "{file} はコードブックではありません。1 行目には列 variable（変数）と、label（ラベル）、values（選択肢）の一方または両方が必要です。"
        "コードブックのページを参照してください。"
    ),
    "{file}: line {line} has no variable.": "{file}：{line} 行目に変数がありません。",
    "{file}: line {line} has a role that there is not.": "{file}：{line} 行目の役割は存在しません。",
    "{file}: line {line}, {key}, must be a number.": "{file}：{line} 行目の {key} は数値でなければなりません。",
    "the codebook gives neither values nor a range (low and high) for {name!r}; add them, name its role as identifier, or give the table.": (
        "コードブックには{name!r}の選択肢も範囲（low と high）もありません。これらを加えるか、役割を identifier にするか、表を渡してください。"
    ),
    " Give the domain a whole step.": "定義域の step を整数にしてください。",
    "A lazy frame has no rows yet; collect it first.": "遅延評価のデータフレームにはまだ行がありません。先に collect してください。",
    "A table must be a pandas or polars frame or a pyarrow table. Got {kind}.": (
        "表は pandas か polars のデータフレーム、または pyarrow の表でなければなりません。指定されたのは {kind} です。"
    ),
    (
        "A table must be a pandas or polars frame or a pyarrow table. Got {kind}; read the file first, or name "
        "it in a plan (tk.run)."
    ): (
        "表は pandas か polars のデータフレーム、または pyarrow の表でなければなりません。指定されたのは {kind} "
        "です。先にファイルを読み込むか、計画に書いてください（tk.run）。"
    ),
    "Column names must be text; rename the columns first.": "列名は文字列でなければなりません。先に列の名前を変えてください。",
    "Column names must be unique; these are not: {doubled}.": "列名は一意でなければなりませんが、{doubled}が重複しています。",
    "Column {column!r} has the type {kind}, which cannot hold every value of its domain ({domain}).{hint}": "列{column!r}の型 {kind} では、定義域（{domain}）のすべての値を表せません。{hint}",
    (
        "Column {column!r} has {count:missing value|missing values}; allow them in the schema (missing=True, in "
        "a plan missing = true), and they will be protected like any other value."
    ): (
        "列{column!r}に {count:,} 個の欠測があります。スキーマで欠測を許せば（missing=True、計画では missing = "
        "true）、ほかの値と同じように保護されます。"
    ),
    "Column {column!r} has {outside:value|values} outside its domain ({domain}).": "列{column!r}に、定義域（{domain}）の外の値が {outside:,} 個あります。",
    "Column {column!r} holds {holds}, which cannot be released; drop or convert it.": "列{column!r}の値は{holds}で、公開できません。列を除くか、変換してください。",
    "Column {column!r} {error}.": "列{column!r}：{error}。",
    "Column {name!r} has no declared domain; declare one in the schema.": "列{name!r}には宣言された定義域がありません。スキーマで宣言してください。",
    "Column {name!r} holds {holds}, which cannot say whose row each is; convert it.": "列{name!r}の値は{holds}で、どの行が誰のものかを示せません。変換してください。",
    (
        "Column {name!r} says whose row each is, and {lost:cell|cells} of it {lost:|is|are} missing; fill them in."
    ): "列{name!r}はどの行が誰のものかを示しますが、{lost:,} 個のセルが欠測しています。埋めてください。",
    "Column {name!r} {error}.": "列{name!r}：{error}。",
    (
        "Column {name!r}: {above:household has|households have} more rows than the declared most ({most:,}); declare "
        "more, or leave out rows."
    ): (
        "列{name!r}：宣言された最大の行数（{most:,}）を超える行をもつ世帯が {above:,} 世帯あります。"
        "より大きな数を宣言するか、行を除いてください。"
    ),
    (
        "Column {name!r}: {above:person has|people have} more rows than the declared most ({most:,}); declare "
        "more, or leave out rows."
    ): (
        "列{name!r}：宣言された最大の行数（{most:,}）を超える行をもつ人が {above:,} 人います。"
        "より大きな数を宣言するか、行を除いてください。"
    ),
    "Frames of {kind} are not supported; convert it to pandas, polars or pyarrow.": "{kind} のデータフレームには対応していません。pandas、polars、pyarrow のいずれかに変換してください。",
    (
        "The domains of {looked_at} were read from the data; the release will disclose them. Declare domains to "
        "avoid this."
    ): (
        "{looked_at}の定義域はデータから読み取られ、公開データで開示されます。これを避けるには、"
        "定義域を宣言してください。"
    ),
    "The schema does not describe {unknown}; describe it, as an identifier if it is to be dropped.": "スキーマに{unknown}の記述がありません。記述を加えてください。除く場合は識別子としてください。",
    "The table has no rows, so no domain can be read from it.": "表に行がないため、定義域を読み取れません。",
    (
        "The table has none of the schema's columns; does the first line of its file hold the names, and is its "
        "delimiter the right one?"
    ): "表に、スキーマの列が一つもありません。ファイルの最初の行は列名ですか。また、区切り文字は正しいですか。",
    "The target {target!r} must have two values and no missing cells.": "目的変数{target!r}の値は二つで、欠測があってはなりません。",
    "There is another loss called {name!r}.": "{name!r}という損失がすでにあります。",
    "There is no column {name!r} in the frame.{hint}": "データフレームに列{name!r}はありません。{hint}",
    "There is no role {role!r}.{hint}": "役割{role!r}はありません。{hint}",
    "a bound must be a date such as 2020-01-31.": "限界値は、2020-01-31 のような日付でなければなりません。",
    "a column needs a name.": "列には名前が必要です。",
    "a domain may have at most {largest_domain:,} values, this one has {size:,}; coarsen it.": "定義域の値は {largest_domain:,} 個までですが、{size:,} 個あります。粗くしてください。",
    "a domain needs at least one label.": "定義域には少なくとも一つのラベルが必要です。",
    "a hierarchy may have at most {most_levels} levels.": "階層の段は {most_levels} 段までです。",
    "a hierarchy needs at least one level above its values.": "階層には、値の上に少なくとも一つの段が必要です。",
    "a hierarchy needs at least one row.": "階層には少なくとも 1 行が必要です。",
    (
        "a hierarchy of {levels:level|levels} over {values:value|values} is too large; leave out levels, or "
        "coarsen the domain."
    ): "{values:,} 個の値に対する {levels:,} 段の階層は大きすぎます。段を除くか、定義域を粗くしてください。",
    (
        "a missing value is not a label; leave it out (in pandas dropna().unique()), and set missing=True for "
        "the column."
    ): ("欠測はラベルではありません。除いて（pandas では dropna().unique()）、列に missing=True を指定してください。"),
    "a schema has at most one column of role 'person'. Got {people}.": "スキーマに置ける、役割 'person' の列は一つまでです。指定されたのは{people}です。",
    "a schema needs at least one column.": "スキーマには少なくとも一つの列が必要です。",
    "attribute must be a column with its domain, such as schema['age'].": "attribute には、schema['age'] のような、定義域のある列を指定してください。",
    "bins of {name!r} must be between 1 and {size}. Got {bins}.": "{name!r}の bins は 1 から {size} まででなければなりません。指定された値は {bins} です。",
    "bounds must carry no time zone; convert them to one zone and drop it.": "限界値にタイムゾーンを付けることはできません。一つのタイムゾーンに変換してから外してください。",
    "by at most {half_step:.3g}": "最大 {half_step:.3g} だけ",
    "by less than {width}": "{width}未満だけ",
    "bytes": "バイト列",
    "carries a time zone; convert it to one zone and drop it first": "タイムゾーンが付いています。先に一つのタイムゾーンに変換してから外してください",
    "dates needs a domain of dates.": "dates には日付の定義域が必要です。",
    "dates {low} to {high}, every {width}": "{low} から {high} までの日付、{width}ごと",
    "each value may occur once; these occur twice: {doubled}.": "それぞれの値は一度だけ現れなければなりませんが、{doubled}が 2 回現れます。",
    "edges must be all numbers, all dates or all times, not a mixture.": "境界は、すべて数値、すべて日付、すべて時刻のいずれかでなければならず、混ぜることはできません。",
    "edges must be finite numbers.": "境界は有限の数でなければなりません。",
    "every row needs as many levels as the first one; row {row} does not.": "どの行にも最初の行と同じ数の段が必要ですが、{row} 行目がそうなっていません。",
    "fanout joins {width:value|values} at its last level, and the domain has {labels:,}; leave it out.": (
        "fanout の最後の段では {width:,} 個の値がまとまりますが、定義域の値は {labels:,} 個です。"
        "その段を除いてください。"
    ),
    "fanout must be whole numbers of at least 2.": "fanout は 2 以上の整数でなければなりません。",
    "frame must be 'pandas', 'polars' or 'pyarrow'. Got {kind!r}.": "frame は 'pandas'、'polars'、'pyarrow' のいずれかでなければなりません。指定された値は{kind!r}です。",
    "groups needs at least one level.": "groups には少なくとも一つの段が必要です。",
    "groups takes a mapping for each level: each label with the list of what it joins.": "groups には、段ごとに、ラベルとそれにまとめるもののリストの対応を指定してください。",
    "has no values to take a domain from; declare one": "定義域を読み取る値がありません。定義域を宣言してください",
    "high must lie a whole number of steps above low: {below:g} or {above:g}.": "high と low の差は step の整数倍でなければなりません（{below:g} または {above:g}）。",
    "holds infinite numbers; mark them as missing first": "無限大の数があります。先に欠測としてください",
    "holds numbers beyond 2^53, for which no domain can be made; use text, or drop it": "2^53 を超える数があり、定義域を作れません。文字列にするか、列を除いてください",
    "holds {holds} but its domain is dates; parse it first": "値は{holds}ですが、定義域は日付です。先に変換してください",
    "holds {holds} but its domain is numbers": "値は{holds}ですが、定義域は数値です",
    "holds {holds} but its domain lists {wanted}": "値は{holds}ですが、定義域は{wanted}です",
    "holds {holds}, for which no domain can be made; drop it or convert it": "値は{holds}で、定義域を作れません。列を除くか、変換してください",
    "intervals need a domain of numbers or dates.": "intervals には、数値または日付の定義域が必要です。",
    "intervals need the edges of at least one level.": "intervals には、少なくとも一つの段の境界が必要です。",
    "intervals takes the edges of each level as a list.": "intervals には、段ごとの境界をリストで指定してください。",
    "keep must decrease from level to level, from below {shortest} to 0. Got {kept}.": "keep は、{shortest} 未満から 0 まで、段ごとに減らなければなりません。指定された値は {kept} です。",
    "labels must be all text, all whole numbers or all booleans, not a mixture.": "ラベルは、すべて文字列、すべて整数、すべて真偽値のいずれかでなければならず、混ぜることはできません。",
    "labels must be text, whole numbers or booleans, not dates; use Dates, or text.": "ラベルは文字列、整数、真偽値のいずれかで、日付は使えません。Dates または文字列を使ってください。",
    "labels must be text, whole numbers or booleans, not numbers with a fraction; use Numbers, or text.": "ラベルは文字列、整数、真偽値のいずれかで、小数は使えません。Numbers または文字列を使ってください。",
    "level must be between 0 and {depth}. Got {level}.": "段は 0 から {depth} まででなければなりません。指定された値は {level} です。",
    "level {number} needs at least two edges.": "第 {number} 段には、少なくとも二つの境界が必要です。",
    "levels must be nested, but the edge {stray} of level {number} is missing below it.": "段は入れ子でなければなりませんが、第 {number} 段の境界 {stray} がその下の段にありません。",
    "levels must be nested, but {label!r} of level {level} lies under two labels of level {above}.": "段は入れ子でなければなりませんが、第 {level} 段の{label!r}が第 {above} 段の二つのラベルに属しています。",
    "low must not be above high. Got {low} and {high}.": "low は high 以下でなければなりません。指定された値は {low} と {high} です。",
    "low must not be after high. Got {low} and {high}.": "low は high より後であってはなりません。指定された値は {low} と {high} です。",
    "mask must be one character.": "mask は 1 文字でなければなりません。",
    "masks needs a domain of categories; write codes as text.": "masks には区分の定義域が必要です。コードは文字列で書いてください。",
    "masks needs values of one length, and these have {shortest} to {longest} characters; pad them.": (
        "masks には長さのそろった値が必要ですが、{shortest} 文字から {longest} 文字までのものがあります。"
        "長さをそろえてください。"
    ),
    "unit is for a column of role 'person', and {name!r} has the role {role!r}.": "unit は役割 'person' の列のためのものですが、{name!r}の役割は{role!r}です。",
    "most is for a column of role 'person', and {name!r} has the role {role!r}.": "most は役割 'person' の列のためのものですが、{name!r}の役割は{role!r}です。",
    "n_clusters must decrease from below {size} to at least 2. Got {wanted}.": (
        "n_clusters は、{size} 未満から 2 以上まで、段ごとに減らなければなりません。指定された値は {wanted} です。"
    ),
    "nothing but missing cells": "欠測だけ",
    "numbers {low:g} to {high:g}, step {step:g}": "{low:g} から {high:g} までの数値、刻み {step:g}",
    "numbers {low:g} to {high:g}, {parts:,} parts": "{low:g} から {high:g} までの数値、{parts:,} 等分",
    "order needs an ordered domain; set ordered=True if the order of its labels means something.": "order には順序のある定義域が必要です。ラベルの順序に意味がある場合は、ordered=True を指定してください。",
    "periods must be some of {known}.": "periods には{known}の中から指定してください。",
    "periods must get longer from level to level.": "periods は、段ごとに長くならなければなりません。",
    "roles names {name!r}, which is not a column.{hint}": "roles に{name!r}がありますが、そのような列はありません。{hint}",
    "schema must be a Schema; create one, or use Schema.observe(frame, roles=...).": "schema には Schema を指定してください。作成するか、Schema.observe(frame, roles=...) を使ってください。",
    "step must be a whole number of at least 1. Got {step}.": "step は 1 以上の整数でなければなりません。指定された値は {step} です。",
    "step must be above zero. Got {step}.": "step は 0 より大きくなければなりません。指定された値は {step} です。",
    "the column {column!r} is described twice.": "列{column!r}が 2 回記述されています。",
    "the edges of dates must be dates, such as 2020-01-31.": "日付の境界は、2020-01-31 のような日付でなければなりません。",
    "the edges of level {number} must increase.": "第 {number} 段の境界は、小さい順でなければなりません。",
    "the edges of numbers must be finite.": "数値の境界は有限でなければなりません。",
    "the edges of numbers must be numbers, not dates.": "数値の境界は数でなければならず、日付は使えません。",
    "the grid is finer than the precision of numbers of this size; give a larger step.": "格子が、この大きさの数の精度より細かくなっています。step を大きくしてください。",
    "the hierarchy lacks {values:value|values} of the domain.": "階層に、定義域の値が {values:,} 個欠けています。",
    "the hierarchy of {name!r} lacks {values:value|values} of its domain.": "{name!r}の階層に、定義域の値が {values:,} 個欠けています。",
    "the hierarchy of {name!r} lacks {values:value|values} of its domain: {lacking}{more}.": "{name!r}の階層に、定義域の値が {values:,} 個欠けています（{lacking}{more}）。",
    "the intervals do not cover the whole domain.": "区間が定義域全体を覆っていません。",
    (
        "the label of {column!r} stands for different values at different levels of its hierarchy, so a cell "
        "with this label cannot be read; rename one of them."
    ): (
        "{column!r}のあるラベルが、階層の段によって異なる値を表しているため、このラベルのセルを読み取れません。"
        "どちらかの名前を変えてください。"
    ),
    (
        "the label of {column!r} would stand for different groups of values (a suppressed cell is written as a "
        "star); rename one of them in its domain or hierarchy."
    ): (
        "{column!r}のあるラベルが、異なる値の集まりを表してしまいます（秘匿されたセルは星印で書かれます）。"
        "定義域または階層で、どちらかの名前を変えてください。"
    ),
    "the label {label!r} is in no group of the next level.": "ラベル{label!r}が、次の段のどのグループにもありません。",
    "the label {label!r} is listed twice.": "ラベル{label!r}が 2 回挙げられています。",
    (
        "the label {label!r} of {column!r} stands for different values at different levels of its hierarchy, so "
        "a cell with this label cannot be read; rename one of them."
    ): (
        "{column!r}のラベル{label!r}が、階層の段によって異なる値を表しているため、"
        "このラベルのセルを読み取れません。どちらかの名前を変えてください。"
    ),
    (
        "the label {label!r} of {column!r} would stand for different groups of values (a suppressed cell is "
        "written as a star); rename one of them in its domain or hierarchy."
    ): (
        "{column!r}のラベル{label!r}が、異なる値の集まりを表してしまいます（秘匿されたセルは星印で書かれます）。"
        "定義域または階層で、どちらかの名前を変えてください。"
    ),
    "the most rows of one person must be at least 1, and at most {limit:,}. Got {most}.": "1 人の最大の行数は 1 以上 {limit:,} 以下でなければなりません。指定された値は {most} です。",
    "the person column {name!r} cannot have missing cells: every row belongs to a person.": "どの行も誰かのものなので、個人を区別する列{name!r}に欠測があってはなりません。",
    "the quasi-identifier {name!r} needs a domain.": "準識別子{name!r}には定義域が必要です。",
    "the role of {name!r} must be one of {roles}. Got {role!r}.{hint}": "{name!r}の役割は{roles}のいずれかでなければなりません。指定された値は{role!r}です。{hint}",
    "the values contain the mask {mask!r} themselves; choose another character.": "値そのものに伏せ字{mask!r}が含まれています。別の文字を選んでください。",
    "the weights {name!r} are too large to be squared and added up; scale them.": "重み{name!r}が大きすぎて、二乗して足し合わせることができません。尺度を変えてください。",
    "the weights {name!r} are too small to be squared and added up; scale them.": "重み{name!r}が小さすぎて、二乗して足し合わせることができません。尺度を変えてください。",
    "the weights {name!r} must be finite numbers of at least 0, and not all 0; they are.": "重み{name!r}は 0 以上の有限の数で、すべてが 0 であってはなりませんが、すべて 0 です。",
    (
        "the weights {name!r} must be finite numbers of at least 0, and not all 0; {wrong:row has|rows have} another."
    ): "重み{name!r}は 0 以上の有限の数で、すべてが 0 であってはなりませんが、{wrong:,} 行がそうなっていません。",
    "the weights {name!r} must be numbers without missing cells.": "重み{name!r}は、欠測のない数値でなければなりません。",
    "values of type {kind}": "{kind} 型の値",
    "whole-number labels must not exceed 2^53 in size; use text labels.": "整数のラベルの大きさは 2^53 以下でなければなりません。文字列のラベルを使ってください。",
    "{column!r} has no order, so its groups cannot be contiguous.": "{column!r}には順序がないため、連続したグループを作れません。",
    "{column!r} has {size:value|values}, more than {largest:,}; coarsen it first.": "{column!r}の値は {size:,} 個で、上限の {largest:,} 個を超えています。先に粗くしてください。",
    (
        "{kind} is not installed; install it with: pip install 'tokumei[{kind}]', or ask for another kind of "
        "frame (pandas, polars, pyarrow)."
    ): (
        "{kind} がインストールされていません。次のようにインストールする（pip install 'tokumei[{kind}]'）か、"
        "別の種類のデータフレーム（pandas、polars、pyarrow）を指定してください。"
    ),
    "{member!r} is in two groups of one level.": "{member!r}が、一つの段の二つのグループにあります。",
    "{name!r} has a hierarchy but no domain.": "{name!r}には階層がありますが、定義域がありません。",
    "{name!r} has no declared domain; declare one in the schema.": "{name!r}には宣言された定義域がありません。スキーマで宣言してください。",
    "{name!r} has only one value and needs no bins.": "{name!r}の値は一つだけなので、bins は不要です。",
    "{name} must be a finite number of at most 2^53 in size.": "{name} は、大きさが 2^53 以下の有限の数でなければなりません。",
    "{path} has more than {largest_tree:,} labels, the most that a hierarchy may have.": "{path} のラベルが、階層に許される上限の {largest_tree:,} 個を超えています。",
    "{path} is not a hierarchy file: {error}.": "{path} は階層のファイルではありません（{error}）。",
    "{path}: {error}": "{path}：{error}",
    (
        "{rows:row|rows} in {classes:class|classes}; the smallest has {smallest:,}, and {unique:row|rows} "
        "{unique:|is|are} unique."
    ): "{classes:,} 個の同値類に {rows:,} 行。最小の同値類は {smallest:,} 行で、一意な行は {unique:,} 行です。",
    "{size:category|categories}": "{size:,} 個の区分",
    "{step:day|days}": "{step:,} 日",
    "{step:hour|hours}": "{step:,} 時間",
    "{step:minute|minutes}": "{step:,} 分",
    "{step:second|seconds}": "{step:,} 秒",
    (
        "{what} is for tables with one row per person, and the schema has a column of role 'person'; use another "
        "method, or make the column an identifier if no two rows belong to one person."
    ): (
        "{what} は 1 人 1 行の表のためのものですが、スキーマに役割 'person' の列があります。別の手法を使うか、"
        "どの二つの行も同じ人のものでない場合は、その列を識別子にしてください。"
    ),
}
