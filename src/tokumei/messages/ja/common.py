"""Japanese for what is said by several rooms."""

from __future__ import annotations

from collections.abc import Mapping

MESSAGES: Mapping[str, str] = {
    "{names} and {count:,} more": "{names}ほか {count:,} 列",
    " Did you mean {name!r}?": "{name!r}のことでしょうか。",
    "A figure to be shown is not a finite number. This is a bug in tokumei; please report it.": "表示しようとした数値が有限ではありません。tokumei の不具合ですので、ご報告ください。",
    (
        "A figure to be written is not a finite number, so nothing was written. This is a bug in tokumei; please "
        "report it."
    ): ("書き出そうとした数値が有限ではないため、何も書き出しませんでした。tokumei の不具合ですので、ご報告ください。"),
    "Column {name!r} mixes kinds of values, or holds values that cannot be read; give it one type.": "列{name!r}には異なる種類の値が混ざっているか、読み取れない値があります。型を一つにそろえてください。",
    "Every column is an identifier, so nothing is left to release.": "すべての列が識別子なので、公開するものが残りません。",
    "TOKUMEI_THREADS must be a whole number of at least 1.": "TOKUMEI_THREADS は 1 以上の整数でなければなりません。",
    "The catalogue already has {keys}.": "カタログにはすでに {keys} があります。",
    "The table has no column {lacking}.{hint}": "表に列{lacking}がありません。{hint}",
    "The table has no rows.": "表に行がありません。",
    (
        "The {part} of a {kind} is not a finite number, so nothing can be concluded from it. This is a bug in "
        "tokumei; please report it."
    ): "{kind} の {part} が有限の数ではないため、何も結論できません。tokumei の不具合ですので、ご報告ください。",
    (
        "The rows of this release are not in memory, and {rows:row|rows} would take about {size:.2f} GB of it or more, where {free:.2f} GB "
        "are free. Write the release, count its rows (release.counted), or do this on a machine with more memory."
    ): (
        "この公開データの行はメモリにありません。{rows:,} 行には約 {size:.2f} GB 以上が必要ですが、空きは {free:.2f} GB です。"
        "公開データを書き出すか、行を数える（release.counted）か、メモリの多い計算機で実行してください。"
    ),
    "There is no column {name!r} in the schema.{hint}": "スキーマに列{name!r}はありません。{hint}",
    "There is no column {name!r} in the table.{hint}": "表に列{name!r}はありません。{hint}",
    (
        "There is too little memory for this. Use fewer rows or columns or coarser domains, the engine 'stream' "
        "(--engine stream), which keeps rows on disk, or a machine with more."
    ): (
        "メモリが足りません。行や列を減らすか、定義域を粗くするか、行をディスクに置く実行エンジン "
        "'stream'（--engine stream）を使うか、メモリの多い計算機を使ってください。"
    ),
    "booleans": "真偽値",
    "columns must name at least one column, and each once.": "columns には、少なくとも一つの列を、それぞれ一度だけ指定してください。",
    "columns must name at least one column.": "columns には、少なくとも一つの列を指定してください。",
    "counting classes": "同値類の集計",
    "dates": "日付",
    "it was cancelled": "中止されました",
    "k = {k:,} is not possible with {rows:row|rows}; ask for less.": "{rows:,} 行では k = {k:,} は実現できません。条件を緩めてください。",
    "language must be 'en' or 'ja'. Got {language!r}.": "language は 'en' か 'ja' でなければなりません。指定された値は{language!r}です。",
    "n_bins must be a whole number of at least 2.": "n_bins は 2 以上の整数でなければなりません。",
    "numbers": "数値",
    "random_state must be a whole number of at least 0, a numpy Generator or None.": "random_state は、0 以上の整数、numpy の Generator、None のいずれかでなければなりません。",
    "rows must be at least 1. Got {rows}.": "rows は 1 以上でなければなりません。指定された値は {rows} です。",
    "seed must be a whole number of at least 0.": "seed は 0 以上の整数でなければなりません。",
    "text": "文字列",
    "times of day": "時刻（日付なし）",
    "{column!r} has no declared domain; declare one in the schema.": "{column!r}には宣言された定義域がありません。スキーマで宣言してください。",
    "{column!r} has no declared domain; declare one to perturb it.": "{column!r}には宣言された定義域がありません。攪乱するには宣言してください。",
    "{setting} must be 'en' or 'ja'. Got {given!r}.": "{setting} は 'en' か 'ja' でなければなりません。指定された値は{given!r}です。",
}
