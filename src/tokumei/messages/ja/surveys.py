"""Households, record types and calibration."""

from __future__ import annotations

from collections.abc import Mapping

MESSAGES: Mapping[str, str] = {
    "Next: tokumei init {path} --person {on}": "次の手順：tokumei init {path} --person {on}",
    "Next: tokumei init {path}": "次の手順：tokumei init {path}",
    "Column {name!r} has the weighted totals of the original: {margins}.": "列{name!r}による加重合計は、元のデータと一致します：{margins}。",
    "calibrate needs a release, its original, the schema, and a Calibration.": "calibrate には、公開データ、元のデータ、スキーマ、Calibration が必要です。",
    "margins must list the columns of each margin, such as [['sex'], ['region']].": "margins には、[['sex'], ['region']] のように、周辺分布ごとの列を並べてください。",
    "a margin has one or two columns: cells of more hold few people, whose weights their totals would tell. Give each two of them a margin.": "周辺分布の列は 1 つか 2 つです。列が多いとセルの人数が少なくなり、合計からその人たちのウェイトが分かります。2 列ずつの周辺分布にしてください。",
    "the weights {weights!r} cannot be a column of a margin.": "乗率{weights!r}を周辺分布の列にすることはできません。",
    (
        "calibration totals are disclosed exactly, so no epsilon can be stated; ask for k alone, or use keep = false."
    ): "合計は正確な値のまま公開されるため、ε は保証できません。k だけを指定するか、keep = false としてください。",
    (
        "calibration totals of a sample would tell how many people of each cell were drawn; use keep = false."
    ): "標本の合計を公開すると、各区分から何人が抽出されたかが分かってしまいます。keep = false としてください。",
    (
        "calibration totals would tell more about the population than its guarantee allows; use keep = false."
    ): "合計を公開すると、母集団について保証が許す以上のことが分かってしまいます。keep = false としてください。",
    (
        "the weights {weights!r} must be released unchanged to keep totals."
    ): "合計を保つには、乗率{weights!r}をそのまま公開する必要があります。",
    (
        "totals of {other} cannot be kept: margins are for columns that every row tells, unchanged or with noise. Use "
        "keep = false to see how they changed."
    ): (
        "{other}の合計は保てません。周辺分布にできるのは、すべての行が値を示す列（そのまま、またはノイズを加えたもの）だけです。"
        "変化を見るだけなら keep = false としてください。"
    ),
    (
        "totals by {told} together with columns that have noise would tell attackers who know those columns what {told} is for single people; give "
        "them margins of their own, or use keep = false."
    ): (
        "{told}とノイズを加えた列とを組み合わせた合計を公開すると、それらの列を知る攻撃者に個人の{told}が分かってしまいます。別々の周辺分布にするか、"
        "keep = false としてください。"
    ),
    (
        "totals by {told} would tell it of people whose rows were left out, about whom the released rows say nothing; use keep = false."
    ): (
        "{told}の合計を公開すると、除かれた行の人の{told}が分かってしまいます。公開された行はこれらの人について何も示していません。"
        "keep = false としてください。"
    ),
    (
        "A release discloses weighted totals by {told}, and another is for attackers who learn nothing from {unknown}, so "
        "they guarantee nothing together; use kept = 'known' for both."
    ): (
        "ある公開データが{told}の加重合計を公開しており、別の公開データは{unknown}から何も知りえない攻撃者を前提としているため、"
        "合わせて保証できることはありません。両方で kept = 'known' としてください。"
    ),
    (
        "calibration cannot name {dropped}: an identifier is dropped, so nothing of it is released."
    ): "合計を保つ指定に{dropped}を含めることはできません。識別子は削除されるため、公開されるものがありません。",
    (
        "totals of columns with noise would tell how weights go with them, and the guarantee takes the weights to be "
        "unknown; use kept = 'known'."
    ): (
        "ノイズを加えた列の合計を公開すると、乗率との関係が分かってしまいますが、保証は乗率が知られていないことを前提としています。"
        "kept = 'known' としてください。"
    ),
    (
        "totals of {columns} cannot be kept: of {few:cell|cells} fewer than k rows were left out, and the totals would "
        "tell their weight. Use coarser margins, or keep = false."
    ): (
        "{columns}の合計は保てません。{few:,} 個の区分で除かれた行が k 行に満たず、合計からその重みが分かってしまいます。"
        "より粗い周辺分布にするか、keep = false としてください。"
    ),
    (
        "calibration totals cannot be kept together: no weights of the released rows have all of them. Use fewer or "
        "coarser margins."
    ): "合計を同時に保つことはできません。すべてに一致する乗率がありません。周辺分布を減らすか、粗くしてください。",
    (
        "the release discloses no calibration totals; the data holder declares them in [calibration] of the plan."
    ): "この公開データは合計を公開していません。データ保有者が計画の [calibration] で指定します。",
    (
        "The release discloses calibration totals that cannot be those of its columns."
    ): "公開データの示す合計が、その列のものではありえません。",
    (
        "calibration totals of {columns} cannot be kept: some of their cells have no released row. Use coarser margins."
    ): "{columns}の合計は保てません。公開された行のない区分があります。より粗い周辺分布にしてください。",
    (
        "{above:household has|households have} more than {most:member|members}; declare more (most), or leave out or "
        "merge members."
    ): "世帯員が {most:,} 人を超える世帯が {above:,} 世帯あります。most を大きくするか、世帯員を除くかまとめてください。",
    (
        "a row is a household, so no column of it has the role 'person'; leave out {own}."
    ): "1 行が 1 世帯なので、役割 'person' の列は置けません。{own}を除いてください。",
    (
        "the rows are not those of households: they need columns such as 'age.1', 'age.2' for each member, as "
        "tk.surveys.widen makes them."
    ): "世帯の行ではありません。tk.surveys.widen が作るように、世帯員ごとに 'age.1'、'age.2' のような列が必要です。",
    (
        "there is a column {number!r} already; choose another name for the number."
    ): "列{number!r}はすでにあります。番号の列には別の名前を選んでください。",
    (
        "Column {column!r} says of {other:row|rows} neither that it is a household's nor a person's."
    ): "列{column!r}の値から、世帯の行とも個人の行とも分からない行が {other:,} 行あります。",
    (
        "most must be a whole number of members from 1 to {largest}. Got {most!r}."
    ): "most は 1 から {largest} までの人数（整数）でなければなりません。指定された値は{most!r}です。",
    (
        "both files have {twice}; rename or drop it in one of them."
    ): "どちらのファイルにも{twice}があります。一方で名前を変えるか、除いてください。",
    (
        "Column {on!r}: {repeated:household has|households have} more than one row in the file of households."
    ): "列{on!r}：世帯のファイルに複数の行をもつ世帯が {repeated:,} 世帯あります。",
    (
        "Column {on!r}: {lost:person is|people are} of a household that has no row in the file of households."
    ): "列{on!r}：世帯のファイルにない世帯の人が {lost:,} 人います。",
    (
        "Column {on!r}: {empty:household has|households have} no member; leave them out."
    ): "列{on!r}：世帯員のいない世帯が {empty:,} 世帯あります。除いてください。",
    (
        "Column {on!r} numbers households, and {missing:cell|cells} of it {missing:|is|are} missing."
    ): "列{on!r}は世帯の番号ですが、{missing:,} 個のセルが欠測しています。",
}
