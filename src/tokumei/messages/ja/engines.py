"""Japanese for what is said by engines and the steps before a method."""

from __future__ import annotations

from collections.abc import Mapping

MESSAGES: Mapping[str, str] = {
    "The engine 'spark' reads Parquet files without a codebook; use the engine 'local' or 'stream', or CSV files.": (
        "エンジン spark は Parquet ファイルをコードブックなしで読み込みます。エンジン local か stream、または CSV ファイルを使ってください。"
    ),
    (
        "A release folder is written to a file system that this machine and the cluster share, so give a path, "
        "not a URL; or write release.frame with Spark."
    ): (
        "公開データのフォルダは、この計算機とクラスタが共有するファイルシステムに書き出されます。URL "
        "ではなくパスを指定するか、release.frame を Spark で書き出してください。"
    ),
    "A task stopped with {kind}, whose text may show cells and is not shown here.": "タスクが {kind} で停止しました。その文面にはセルが含まれる可能性があるため、ここには表示しません。",
    "Column names must be unique, and some of the Spark frame's are not.": "列名は一意でなければなりませんが、Spark のデータフレームに同じ名前の列があります。",
    (
        "Column {column!r}: its domain was read from the data and is published with the release, and "
        "{rare:label|labels} of it {rare:|occurs|occur} in fewer than {fewest} rows. Declare the domain, or "
        "recode it."
    ): (
        "列{column!r}：定義域はデータから読み取られ、公開データとともに公開されますが、そのうち {rare:,} "
        "個のラベルは {fewest} 行未満にしか現れません。定義域を宣言するか、再符号化してください。"
    ),
    (
        "Column {name!r} has too many different values to tell apart in this memory; declare a domain, recode "
        "it, or allow more memory."
    ): (
        "列{name!r}は異なる値が多すぎて、このメモリでは区別できません。定義域を宣言するか、再符号化するか、"
        "メモリの上限を上げてください。"
    ),
    "Column {name!r}: {count:value|values} lay between points of the declared grid and moved, {moves}.": "列{name!r}：{count:,} 個の値が宣言された格子の点の間にあったため、{moves}移動しました。",
    "Frames of Spark Connect are not supported; use a classic session of Spark.": "Spark Connect のデータフレームには対応していません。従来型の Spark セッションを使ってください。",
    "In part {part} of {parts} of the Spark frame: {problem}": "Spark のデータフレームの {parts} 個のうち {part} 番目の区画：{problem}",
    "Recode needs a hierarchy for {column!r}; give one here or in the schema.": "Recode には{column!r}の階層が必要です。ここか、スキーマで与えてください。",
    "Recode of {column!r} needs a level between 1 and {depth}. Got {level}.": "{column!r}の Recode には 1 から {depth} までの段が必要です。指定された値は {level} です。",
    (
        "Rows could not be stored in {folder} ({reason}); set TOKUMEI_SCRATCH to a folder with more room. "
        "Nothing was left behind."
    ): (
        "{folder} に行を保存できませんでした（{reason}）。TOKUMEI_SCRATCH に、"
        "空き容量の多いフォルダを指定してください。書きかけのものは残っていません。"
    ),
    (
        "Rows shuffled in blocks give a guarantee only for whole tables whose columns released unchanged are "
        "unknown to attackers; shuffle all rows (shuffle='rows')."
    ): (
        "ブロックごとの並べ替えで保証が成り立つのは、標本ではない表全体で、"
        "そのまま公開される列を攻撃者が知らない場合だけです。すべての行を並べ替えてください（shuffle='rows'）。"
    ),
    (
        "Shuffling in blocks is only for methods whose guarantee counts on the rows of a block, and that of "
        "{kind} does not; shuffle all rows (shuffle='rows')."
    ): (
        "ブロックごとの並べ替えは、保証がブロック内の行に基づく手法だけのもので、{kind} はそうではありません。"
        "すべての行を並べ替えてください（shuffle='rows'）。"
    ),
    (
        "Spark does not distinguish {alike} from a column whose name differs only in case; rename it, or set "
        "spark.sql.caseSensitive."
    ): (
        "Spark は{alike}を、大文字と小文字だけが異なる列と区別しません。名前を変えるか、spark.sql.caseSensitive "
        "を設定してください。"
    ),
    "Spark failed in {doing} ({cause}); nothing was released.": "{doing}の途中で Spark が失敗しました（{cause}）。何も公開していません。",
    (
        "Spark needs Java 17 or newer, which was not found; install it (on Debian: apt-get install "
        "default-jre-headless), or set JAVA_HOME to its folder."
    ): (
        "Spark には Java 17 以降が必要ですが、見つかりませんでした。インストールする（Debian では apt-get "
        "install default-jre-headless）か、JAVA_HOME にそのフォルダを設定してください。"
    ),
    "TOKUMEI_SCRATCH must be a folder, and {folder} is not one.": "TOKUMEI_SCRATCH にはフォルダを指定しなければなりませんが、{folder} はフォルダではありません。",
    "The Spark engine has its own columns whose names begin with {start!r}; rename {own}.": "Spark の実行エンジンは、名前が{start!r}で始まる列を内部で使います。{own}の名前を変えてください。",
    "The Spark engine needs pyspark and pandas; install them with: pip install 'tokumei[spark]'": (
        "Spark の実行エンジンには pyspark と pandas が必要です。次のようにインストールしてください：pip install "
        "'tokumei[spark]'"
    ),
    (
        "The engine 'spark' reads files, not databases; use the engine 'stream', or read the table with Spark "
        "and give the frame to tk.anonymize."
    ): (
        "実行エンジン 'spark' が読み込むのはファイルであり、データベースではありません。実行エンジン 'stream' "
        "を使うか、表を Spark で読み込み、そのデータフレームを tk.anonymize に渡してください。"
    ),
    "The engine {engine!r} shuffles all rows; shuffle='blocks' is only for the engine 'stream'.": (
        "実行エンジン{engine!r}はすべての行を並べ替えます。shuffle='blocks' は実行エンジン 'stream' だけのものです。"
    ),
    "The groups do not fit in this memory; allow more.": "グループがこのメモリに収まりません。メモリの上限を上げてください。",
    (
        "The identifier {name!r} holds {broken:number|numbers} with a fraction, or too large for floats to "
        "distinguish from adjacent ones; convert it to text."
    ): (
        "識別子{name!r}に、小数部があるか、大きすぎて浮動小数点数では隣の値と区別できない数が {broken:,} "
        "個あります。文字列に変換してください。"
    ),
    (
        "The identifier {name!r} holds {holds}; only text, whole numbers and dates can be replaced, so convert "
        "it to text."
    ): ("識別子{name!r}の値は{holds}です。置き換えられるのは文字列、整数、日付だけなので、文字列に変換してください。"),
    "The key for {column!r} cannot be read from the file that is named for it: {problem}.": "{column!r}の鍵を、指定されたファイルから読み取れません。{problem}。",
    (
        "The key for {column!r} is missing: set the environment variable that is named for it to a key such as "
        "the one that `tokumei key FILE` makes."
    ): (
        "{column!r}の鍵がありません。手順に指定された環境変数に、`tokumei key FILE` "
        "で作れるような鍵を設定してください。"
    ),
    (
        "The key for {column!r} must be at least {least} bytes written as hexadecimal digits, such as the one "
        "that `tokumei key FILE` makes."
    ): (
        "{column!r}の鍵は、`tokumei key FILE` で作れるような、16 進数で書かれた {least} "
        "バイト以上のものでなければなりません。"
    ),
    "The method says nothing about {left_over:column|columns}; nothing was released.": "手法が {left_over:,} 個の列について何も定めていないため、何も公開しませんでした。",
    (
        "The parts of the Spark frame had other rows, or another order, when they were read again, so draws "
        "would not repeat; write the frame to Parquet first, and anonymize what is read from there."
    ): (
        "Spark のデータフレームを再び読み込むと、区画の行または順序が変わっていました。"
        "このままでは乱数による抽出が再現しません。先に Parquet に書き出し、"
        "それを読み込んだものを匿名化してください。"
    ),
    (
        "The step {step!r} is for identifiers, and {column!r} has the role {role!r}; give it the role "
        "'identifier', or make it coarser with Recode or leave it out with Drop."
    ): (
        "手順{step!r}は識別子のためのものですが、{column!r}の役割は{role!r}です。役割を 'identifier' にするか、"
        "Recode で粗くするか、Drop で除いてください。"
    ),
    "The written rows do not satisfy the guarantee; nothing was left behind.": "書き出した行が保証を満たしていません。書きかけのものは残っていません。",
    "There are too many different rows to count in this memory; allow more.": "異なる行が多すぎて、このメモリでは数えられません。メモリの上限を上げてください。",
    "TopBottomCode needs low, high or both.": "TopBottomCode には low、high、またはその両方が必要です。",
    "TopBottomCode needs numbers or dates, and {column!r} has none.": "TopBottomCode には数値か日付が必要ですが、{column!r}はどちらでもありません。",
    "TopBottomCode of {column!r} needs a domain with a declared step.": "{column!r}の TopBottomCode には、step を宣言した定義域が必要です。",
    "TopBottomCode of {column!r}: low must not be above high.": "{column!r}の TopBottomCode：low は high 以下でなければなりません。",
    "TopBottomCode of {column!r}: {bound} is not a grid point of its domain.": "{column!r}の TopBottomCode：{bound} は定義域の格子点ではありません。",
    "Two steps release parts of the identifier {column!r}; use only one of them.": "二つの手順が識別子{column!r}の一部を公開しようとしています。どちらか一つだけを使ってください。",
    "a column of role 'person', which says whose row each is": "どの行が誰のものかを示す、役割 'person' の列",
    "a disk is full": "ディスクがいっぱいです",
    "a file is damaged, is gone, or has other columns than the first": "ファイルが壊れているか、なくなったか、最初のファイルと列が異なります",
    "a file is gone": "ファイルがなくなりました",
    "a file is not a Parquet file, or it is damaged": "Parquet ファイルではないか、壊れています",
    "a line does not have the fields of the first line": "最初の行とフィールドの数が異なる行があります",
    (
        "a pseudonym of {column!r} would show which rows belong to one person, and the guarantee for people with "
        "several rows ({person}) assumes that nothing does; leave out the pseudonym, or release one row per "
        "person."
    ): (
        "{column!r}の仮名からは、どの行が同じ人のものかが分かります。複数の行をもつ人についての保証（{person}"
        "）は、それが分からないことを前提としています。仮名を外すか、1 人 1 行で公開してください。"
    ),
    "a worker has too little memory": "ワーカーのメモリが足りません",
    (
        "{kind} needs {what}: {rows:row|rows} take about {size:.2f} GB for it, and the engine {engine!r} may use "
        "{memory:.2f} GB; allow more memory, or {instead}."
    ): (
        "{kind} には{what}が必要です。{rows:,} 行では約 {size:.2f} GB になりますが、エンジン {engine!r} が使えるのは {memory:.2f} GB "
        "です。メモリを増やすか、{instead}ことを検討してください。"
    ),
    (
        "{kind} needs {what}: {rows:row|rows} take about {size:.2f} GB for it, and the engine {engine!r} may use "
        "{memory:.2f} GB; allow more memory."
    ): (
        "{kind} には{what}が必要です。{rows:,} 行では約 {size:.2f} GB になりますが、エンジン {engine!r} が使えるのは {memory:.2f} GB "
        "です。メモリを増やしてください。"
    ),
    "the driver may not collect the codes of all rows; set spark.driver.maxResultSize to more": (
        "ドライバーはすべての行のコードを集めることができません。spark.driver.maxResultSize を大きくしてください"
    ),
    "fetching the codes of all rows": "すべての行のコードの取得",
    "sending the released rows": "公開する行の送信",
    "all rows in one memory": "メモリ上のすべての行",
    "classes that are judged by a sensitive column or a population": "機微な列または母集団によって判定される同値類",
    "collecting the rows": "行の収集",
    "counting the rows": "行の集計",
    "cutting": "切断",
    "drawing a sample": "標本の抽出",
    "engine must be one of {engines}. Got {engine!r}.{hint}": "engine は{engines}のいずれかでなければなりません。指定された値は{engine!r}です。{hint}",
    "files have different columns": "ファイルによって列が異なります",
    "fill must be at least one character.": "fill は 1 文字以上でなければなりません。",
    "groups of rows by cuts": "切断による行のグループ化",
    "it already exists, and a lost key cannot be made again; choose another place": "すでに存在します。失われた鍵は作り直せないため、別の場所を選んでください",
    "its own log says more, and may show cells": "詳しくは Spark 自身のログにありますが、セルの値が含まれる可能性があります",
    (
        "kept='known' assumes that {column!r} of everyone is known, but a pseudonym is known only to someone who "
        "has its key; use kept='unknown', or leave it out."
    ): (
        "kept='known' は全員の{column!r}が知られていることを前提としますが、"
        "仮名を知りうるのはその鍵を持つ人だけです。kept='unknown' を使うか、仮名を外してください。"
    ),
    (
        "kept='perturb' cannot perturb {column!r}, which is text without a domain; use kept='unknown', or leave it out."
    ): (
        "{column!r}は定義域のない文字列なので、kept='perturb' では攪乱できません。kept='unknown' を使うか、"
        "列を除いてください。"
    ),
    "key must be 'env:NAME' or 'file:PATH', which says where the key is; it is never the key itself.": (
        "key には、鍵のある場所を示す 'env:NAME' または 'file:PATH' を指定してください。"
        "鍵そのものを書くことはできません。"
    ),
    "leave publish out": "publish を外す",
    "looking at the columns, some of which have a type that Arrow does not know": "Arrow の知らない型を含む列の確認",
    "memory must be an amount such as '1GB' or '512MB'. Got {memory!r}.": "memory は '1GB' や '512MB' のような量でなければなりません。指定された値は{memory!r}です。",
    "memory must be at least 64MB.": "memory は 64MB 以上でなければなりません。",
    "method must be an anonymizer such as PkPerturbation(k=10).": "method には、PkPerturbation(k=10) のような匿名化手法を指定してください。",
    "no file can have that name": "このような名前のファイルは作れません",
    "others than its owner can use its file; let only the owner read it (chmod 600)": "所有者以外の人もこのファイルを使えます。所有者だけが読めるようにしてください（chmod 600）",
    "pandas or pyarrow is not installed where Spark runs; install tokumei[spark] there": (
        "Spark が動く環境に pandas または pyarrow がインストールされていません。そこに tokumei[spark] "
        "をインストールしてください"
    ),
    "points in time": "時刻",
    "prepare must be a list of steps such as [Recode('age', level=1)].": "prepare には、[Recode('age', level=1)] のような手順のリストを指定してください。",
    "publish must be a list such as [ValueRates(['age'], epsilon=1)].": "publish には、[ValueRates(['age'], epsilon=1)] のようなリストを指定してください。",
    "rates of values to be published": "公開する値の割合",
    "reading the files": "ファイルの読み込み",
    "reading the rows": "行の読み込み",
    "reading values": "値の読み込み",
    "rows were lost; this is a bug, please report it.": "行が失われました。不具合ですので、ご報告ください。",
    "show must be a whole number from 1 to {limit:,}; to show nothing, drop the column.": "show は 1 から {limit:,} までの整数でなければなりません。何も見せない場合は、列を除いてください。",
    "tasks run another version of Python; set PYSPARK_PYTHON to this one": "タスクが別のバージョンの Python で動いています。PYSPARK_PYTHON にこの Python を設定してください",
    "the file or folder does not exist": "ファイルまたはフォルダがありません",
    "the sizes of classes": "同値類の大きさ",
    "tokumei is not installed where the tasks run; see docs/spark.md": "タスクが動く環境に tokumei がインストールされていません。docs/spark.md を参照してください",
    "workers were lost repeatedly": "ワーカーが繰り返し失われました",
    "writing the rows": "行の書き出し",
    (
        "{file} has a cell that is not of the same kind as the first ones in its column; keep the rows in Parquet."
    ): "{file} に、その列の最初のほうのセルと種類の異なるセルがあります。行を Parquet で保存してください。",
    ("{kind} groups or leaves out rows and draws too, which the engine 'spark' does not do; use the engine 'local'."): (
        "{kind} は行のグループ化または削除と、乱数による変更の両方を行います。実行エンジン 'spark' "
        "はこれに対応していないため、実行エンジン 'local' を使ってください。"
    ),
    "{kind} needs {what}, which the engine {engine!r} does not offer; use the local engine.": (
        "{kind} には{what}が必要ですが、実行エンジン{engine!r}では使えません。ローカルの実行エンジンを使ってください。"
    ),
    "{kind} needs {what}, which the engine {engine!r} does not offer; {instead}, or use the local engine.": (
        "{kind} には{what}が必要ですが、実行エンジン{engine!r}では使えません。{instead}か、"
        "ローカルの実行エンジンを使ってください。"
    ),
    "{path} cannot be written: {problem}.": "{path} に書き出せません。{problem}。",
    (
        "{seen:,} of {rows:,} rows are visible here; write to a folder that this machine and the cluster share. "
        "Nothing was left behind."
    ): (
        "{rows:,} 行のうち、ここから見えるのは {seen:,} 行です。"
        "この計算機とクラスタが共有するフォルダに書き出してください。書きかけのものは残っていません。"
    ),
}
