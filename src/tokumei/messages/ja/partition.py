"""Japanese for what is said by partitions."""

from __future__ import annotations

from collections.abc import Mapping

MESSAGES: Mapping[str, str] = {
    " ({outside:row|rows} of them in no published box)": "（うち {outside:,} 行は、以前の公開データのどの範囲にも入りません）",
    (
        "At these levels, {gone:row|rows} would be suppressed, and {limit:,} may be; choose coarser levels, or "
        "allow more suppression."
    ): (
        "これらの段では {gone:,} 行が秘匿されますが、許されているのは {limit:,} 行です。より粗い段を選ぶか、"
        "より多くの秘匿を許してください。"
    ),
    (
        "Column {column!r} has another kind of values, or another grid, than in the published release; give it "
        "that domain, or make a new scheme with another partition."
    ): (
        "列{column!r}の値の種類または格子が、以前の公開データと異なります。同じ定義域にするか、"
        "別の分割で新しい区分を作ってください。"
    ),
    "Lattice: there are too many boxes with this many columns; use NearestGroups.": "Lattice：列が多く、範囲の数が多すぎます。NearestGroups を使ってください。",
    "Lattice: there are too many columns to number their boxes; use NearestGroups.": "Lattice：列が多すぎて、範囲に番号を付けられません。NearestGroups を使ってください。",
    (
        "NearExact takes at most {most_rows:,} rows and a k of at most {largest_k}. Got {rows:,} rows and k = {k}"
        "; use LocalSearch(thorough=True)."
    ): (
        "NearExact で扱えるのは {most_rows:,} 行以下、k が {largest_k} 以下の場合です。指定されたのは {rows:,} "
        "行、k = {k} です。LocalSearch(thorough=True) を使ってください。"
    ),
    (
        "No combination of levels satisfies what is asked, not even the coarsest; allow more suppression, ask "
        "for less, or give the hierarchies a level that covers everything."
    ): (
        "最も粗いものも含めて、条件を満たす段の組合せがありません。より多くの秘匿を許すか、条件を緩めるか、"
        "すべてを含む段を階層に加えてください。"
    ),
    (
        "Published needs a release whose labels follow from the values: one level for each column (Optimal), or "
        "boxes that do not overlap. In this one they also depend on the rows, so make a new scheme with another "
        "partition."
    ): (
        "Published には、ラベルが値だけで決まる公開データが必要です（列ごとに一つの段（Optimal）、"
        "または重ならない範囲）。この公開データのラベルは行にも左右されるため、"
        "別の分割で新しい区分を作ってください。"
    ),
    (
        "Published needs one label for the same values, and {name!r} distinguishes values that its grid does "
        "not; make a new scheme with another partition."
    ): (
        "Published では同じ値に一つのラベルが必要ですが、{name!r}は格子では区別されない値を区別しています。"
        "別の分割で新しい区分を作ってください。"
    ),
    "Published takes a release, or the path of its folder.": "Published には、公開データまたはそのフォルダのパスを指定してください。",
    (
        "The boxes of the published release overlap, so new rows have no unique box; make a new scheme with "
        "another partition."
    ): (
        "以前の公開データの範囲は重なっているため、新しい行の入る範囲が一つに決まりません。"
        "別の分割で新しい区分を作ってください。"
    ),
    (
        "The published scheme is for {columns}, and the quasi-identifiers are {quasi_identifiers}; they must be "
        "the same."
    ): (
        "以前の公開データの区分は{columns}についてのものですが、準識別子は{quasi_identifiers}です。"
        "両者は同じでなければなりません。"
    ),
    (
        "This release has the labels of an earlier one. Anyone who has both sees two equivalence classes of a "
        "person who is in both releases, and fewer than {k} people may be in both classes. Each guarantee holds "
        "for one release alone."
    ): (
        "この公開データのラベルは、以前の公開データのものです。両方を持つ人には、"
        "両方に含まれる人について二つの同値類が見え、その両方に入る人は {k} 人未満かもしれません。"
        "それぞれの保証は、一つの公開データについてのものです。"
    ),
    "a partition needs at least one column to group by.": "分割には、グループ化に使う列が少なくとも一つ必要です。",
    "eps must be a number above 0. Got {eps:g}.": "eps は 0 より大きい数でなければなりません。指定された値は {eps:g} です。",
    "even the whole table as one group does not satisfy every constraint; ask for less.": "表全体を一つのグループにしても、すべての制約を満たすことはできません。条件を緩めてください。",
    "full-domain recoding needs at least one quasi-identifier.": "全域再符号化には、少なくとも一つの準識別子が必要です。",
    "gamma must be a finite number of at least 0. Got {gamma}.": "gamma は 0 以上の有限の数でなければなりません。指定された値は {gamma} です。",
    "grid must be between 2 and {largest_grid}. Got {grid}.": "grid は 2 から {largest_grid} まででなければなりません。指定された値は {grid} です。",
    "k must be a whole number of at least 1. Got {k}.": "k は 1 以上の整数でなければなりません。指定された値は {k} です。",
    "ks must be whole numbers from 2 to the {rows:,} rows of the table.": "ks は、2 から表の行数 {rows:,} までの整数でなければなりません。",
    "levels names {name!r}, which is not a quasi-identifier.{hint}": "levels に{name!r}がありますが、この列は準識別子ではありません。{hint}",
    "levels needs a level for {lacking} too.": "levels には{lacking}の段も必要です。",
    "local suppression takes at most {most_columns} quasi-identifiers. Got {columns}; recode or drop some.": (
        "セルの秘匿に使える準識別子は {most_columns} 個までです。指定されたのは {columns} 個です。いくつかを再符号化するか、除いてください。"
    ),
    "min_samples must be a whole number of at least 2. Got {min_samples}.": "min_samples は 2 以上の整数でなければなりません。指定された値は {min_samples} です。",
    "min_size must be a whole number of at least 1. Got {size}.": "min_size は 1 以上の整数でなければなりません。指定された値は {size} です。",
    "parts must be a whole number from 1 to {finest:,}. Got {parts}.": "parts は 1 から {finest:,} までの整数でなければなりません。指定された値は {parts} です。",
    "max_rows must be a whole number of at least 1. Got {max_rows}.": "max_rows は 1 以上の整数でなければなりません。指定された値は {max_rows} です。",
    "parts must be a whole number of at least 1. Got {parts}.": "parts は 1 以上の整数でなければなりません。指定された値は {parts} です。",
    "points must be finite numbers; fill or drop missing and infinite ones first.": "点は有限の数でなければなりません。先に欠測や無限大を埋めるか、除いてください。",
    "points need a table of numbers with at least one column.": "点には、少なくとも 1 列ある数値の表が必要です。",
    "suppression_limit must be a share between 0 and 1. Got {limit:g}.": "suppression_limit は 0 から 1 までの割合でなければなりません。指定された値は {limit:g} です。",
    "the bound needs a hierarchy for every column, and {column!r} may take any range; give it one.": "下界の計算にはすべての列に階層が必要ですが、{column!r}は任意の範囲をとりえます。階層を与えてください。",
    "the bound needs a list of boxes, and there are too many with this many columns.": "下界の計算には範囲の一覧が必要ですが、列が多く、範囲の数が多すぎます。",
    "the exact search takes sets of up to {most} labels, and a column has {labels}; use search='greedy'.": (
        "厳密な探索で扱えるラベルの集合は {most} 個までですが、{labels} 個のラベルをもつ列があります。search='greedy' を使ってください。"
    ),
    "the exact search takes two columns that vary, and there are {columns}; use search='greedy'.": (
        "厳密な探索で扱えるのは変化する列が二つの場合ですが、{columns} 個あります。search='greedy' を使ってください。"
    ),
    (
        "the hierarchies have {nodes:,} combinations of levels, more than {largest_lattice:,}; give them fewer "
        "levels, or use another partition."
    ): (
        "階層の段の組合せが {nodes:,} 通りあり、上限の {largest_lattice:,} を超えています。段を減らすか、"
        "別の分割を使ってください。"
    ),
    "the level of {column!r} must be between 0 and {highest}.": "{column!r}の段は 0 から {highest} まででなければなりません。",
    "the table has {rows:row|rows}, too few for one group of {k}.": "表は {rows:,} 行で、{k} 行のグループを一つ作るには足りません。",
    (
        "{column!r} has {rows:,} unordered categories, and microaggregation takes at most {limit}; recode "
        "it to fewer first, or declare an order."
    ): (
        "{column!r}には順序のない区分が {rows:,} 個ありますが、ミクロアグリゲーションで扱えるのは {limit} "
        "個までです。先により少ない区分に再符号化するか、順序を宣言してください。"
    ),
    (
        "{column!r} has {size:,} categories without order or hierarchy, and clusters take at most {labels}; give "
        "it a hierarchy, or make it coarser first with Recode."
    ): (
        "{column!r}には順序も階層もない区分が {size:,} 個ありますが、クラスタ化で扱えるのは {labels} 個までです。"
        "階層を与えるか、先に Recode で粗くしてください。"
    ),
    "{left:row|rows} would be left, too few for one group of {k}; use a larger eps, or outliers='nearest'.": (
        "残るのは {left:,} 行で、{k} 行のグループを一つ作るには足りません。eps を大きくするか、"
        "outliers='nearest' を使ってください。"
    ),
    (
        "{outside:cell|cells} of {column!r} {outside:|is|are} not covered by the published scheme ({domain}); "
        "recode or leave out these rows first, or make a new scheme with another partition."
    ): (
        "{column!r}の {outside:,} 個のセルが、以前の公開データの区分（{domain}）に含まれません。"
        "先にこれらの行を再符号化するか除く、または別の分割で新しい区分を作ってください。"
    ),
    (
        "{outside:cell|cells} of {column!r} {outside:|is|are} not covered by the published scheme ({domain}, or "
        "missing); recode or leave out these rows first, or make a new scheme with another partition."
    ): (
        "{column!r}の {outside:,} 個のセルが、以前の公開データの区分（{domain}、または欠測）に含まれません。"
        "先にこれらの行を再符号化するか除く、または別の分割で新しい区分を作ってください。"
    ),
}
