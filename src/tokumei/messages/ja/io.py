"""Japanese for what is said by files and databases."""

from __future__ import annotations

from collections.abc import Mapping

MESSAGES: Mapping[str, str] = {
    ".csv, .csv.gz, .tsv, .txt, .parquet, .xlsx, .sav, .zsav, .por, .dta, .sas7bdat and .xpt": (
        ".csv、.csv.gz、.tsv、.txt、.parquet、.xlsx、.sav、.zsav、.por、.dta、.sas7bdat、.xpt"
    ),
    "The tables of the database cannot be listed": "データベースの表を一覧にできません",
    "it has no columns": "列がありません",
    "Files of SPSS, Stata and SAS need pyreadstat; install it with: pip install 'tokumei[stat]', or save the table as CSV.": (
        "SPSS、Stata、SAS のファイルには pyreadstat が必要です。次のようにインストールする（pip install 'tokumei[stat]'）か、"
        "表を CSV で保存してください。"
    ),
    "Writing files of SPSS, Stata and SAS needs polars; install it with: pip install 'tokumei[stat]'.": (
        "SPSS、Stata、SAS のファイルを書き出すには polars が必要です。次のようにインストールしてください：pip install 'tokumei[stat]'"
    ),
    (
        "{path} has {rows:row|rows} of {columns:column|columns}, far more than its size should hold; save it as CSV or Parquet, if it is meant "
        "to be that large."
    ): (
        "{path} には {rows:,} 行、{columns:,} 列があり、ファイルの大きさに比べて多すぎます。本当にこの大きさであれば、"
        "CSV または Parquet で保存してください。"
    ),
    "its text is not {encoding}, or not as it says; give its encoding (--encoding, or encoding in the plan)": (
        "文字コードが {encoding} ではないか、ファイルに書かれたものと異なります。文字コードを指定してください（--encoding、計画では encoding）"
    ),
    "{path} is a file of SPSS, Stata or SAS, which is only read in memory (engine local); save it as CSV or Parquet.": (
        "{path} は SPSS、Stata または SAS のファイルで、メモリ上でのみ読み込めます（エンジン local）。CSV または Parquet で保存してください。"
    ),
    "begin with a letter, have no spaces, and differ in more than upper and lower case, and have at most 64 bytes": (
        "文字で始まり、空白を含まず、大文字と小文字以外でも区別でき、64 バイト以内"
    ),
    "begin with a letter, have letters, digits and _ only, and have at most 32 characters": (
        "文字で始まり、文字、数字、_ だけを使い、32 文字以内"
    ),
    "begin with a letter, have unaccented letters, digits and _ only, and have at most 32 characters": (
        "英字で始まり、英字、数字、_ だけを使い、32 文字以内"
    ),
    "The columns {wrong} cannot be written as .{kind}, where names {rule}; rename them, or write Parquet or CSV.": (
        "列{wrong}は .{kind} に書き出せません。この形式の列名は、{rule}でなければなりません。名前を変えるか、Parquet または CSV で書き出してください。"
    ),
    "The rows cannot be written as .{kind}; write them as Parquet or CSV.": (
        "行を .{kind} に書き出せません。Parquet または CSV で書き出してください。"
    ),
    "Column {name!r} holds cells that cannot be read as the kind of its domain.": "列{name!r}に、定義域の種類として読み取れないセルがあります。",
    "Databases need the optional packages of tokumei[sql]; install them: pip install 'tokumei[sql]'.": (
        "データベースを使うには、追加のパッケージ tokumei[sql] が必要です。"
        "次のようにインストールしてください：pip install 'tokumei[sql]'"
    ),
    ("Excel files need python-calamine; install it with: pip install 'tokumei[excel]', or save the sheet as CSV."): (
        "Excel ファイルを読むには python-calamine が必要です。次のようにインストールする（pip install "
        "'tokumei[excel]'）か、シートを CSV で保存してください。"
    ),
    "Its working folder {folder} could not be removed ({reason}); the next run to this place tries again.": (
        "作業用フォルダ {folder} を削除できませんでした（{reason}）。次にこの場所に書き出すときに、"
        "もう一度削除を試みます。"
    ),
    "SQLite has no schemas; name the table without a dot.": "SQLite にはスキーマがありません。表の名前はピリオドを付けずに指定してください。",
    (
        "The database would change column names of {table!r}: it may not distinguish upper and lower case; "
        "rename them. No table was left behind."
    ): (
        "データベースが{table!r}の列名を変えてしまいます。大文字と小文字を区別しない可能性があるので、"
        "列の名前を変えてください。表は残っていません。"
    ),
    "The files are a mixture of CSV and Parquet; convert them to one format.": "CSV と Parquet のファイルが混ざっています。どちらか一つの形式にそろえてください。",
    "The name of the file, or of a folder that it is in, is not UTF-8; rename it.": "ファイル名、またはそれを含むフォルダの名前が UTF-8 ではありません。名前を変えてください。",
    (
        "The name {name!r} is longer than the {longest} bytes that the database allows, and would be cut off; "
        "choose a shorter one."
    ): (
        "名前{name!r}は、データベースで許される {longest} バイトより長く、途中で切られてしまいます。"
        "より短い名前にしてください。"
    ),
    "The rows cannot be read from the database": "データベースから行を読み込めません",
    "The table {table!r} cannot be read": "表{table!r}を読み込めません",
    "The table {table!r} holds far more than its database has room for.": "表{table!r}には、データベースに収まるはずのない量の行があります。",
    "The table {there!r} already exists; choose another name, or overwrite it (overwrite=True, --overwrite).": (
        "表{there!r}はすでに存在します。別の名前にするか、上書きを指定してください（overwrite=True、--overwrite）。"
    ),
    "The table {there!r} already exists; choose another name, or overwrite it (--overwrite).": "表{there!r}はすでに存在します。別の名前にするか、上書きを指定してください（--overwrite）。",
    "{path} already exists; choose another place, or overwrite it (--overwrite).": "{path} はすでに存在します。別の場所にするか、上書きを指定してください（--overwrite）。",
    "The table {there!r} is not a release, so it is not overwritten.": "表{there!r}は公開データではないため、上書きしません。",
    "The tables could not be written, and none was left behind": "表を書き出せませんでした。書きかけの表は残っていません",
    "What was there before is in {old}, and could not be put back ({reason}).": "以前の内容は {old} にあり、元に戻せませんでした（{reason}）。",
    "a column holds values of several kinds; give it one": "列に異なる種類の値があります。一つにそろえてください",
    "a database address looks like postgresql://…, sqlite:///file or duckdb:///file.": "データベースのアドレスは、postgresql://…、sqlite:///file、duckdb:///file のように指定してください。",
    "a database address must not contain a password; use PGPASSWORD, ~/.pgpass or a service file.": (
        "データベースのアドレスにパスワードを含めてはいけません。PGPASSWORD、~/.pgpass、"
        "またはサービスファイルを使ってください。"
    ),
    "a line": "ある行",
    "a line is longer than can be read, or a quotation mark is not closed": "行が長すぎて読み込めないか、引用符が閉じられていません",
    "a query that is read from must not change anything": "読み込みに使うクエリは、何も変更してはいけません",
    "a table of that name already exists": "同じ名前の表がすでに存在します",
    "column {column} holds cells that cannot be read as the kind of its domain": "{column} 列目に、定義域の種類として読み取れないセルがあります",
    "column {column}, line {row}, holds cells that cannot be read as the kind of its domain": "{column} 列目、{row} 行目に、定義域の種類として読み取れないセルがあります",
    "dates must say where day, month and year are, such as '%d.%m.%Y'. Got {dates!r}.": "dates には、'%d.%m.%Y' のように日、月、年の位置を指定してください。指定された値は{dates!r}です。",
    "decimal must be '.' or ','. Got {decimal!r}.": "decimal は '.' か ',' でなければなりません。指定された値は{decimal!r}です。",
    "declare its labels as its domain, drop it, or save the file as CSV": "その列のラベルを定義域として宣言するか、列を除くか、ファイルを CSV で保存してください",
    "delimiter must be one character. Got {delimiter!r}.": "delimiter は 1 文字でなければなりません。指定された値は{delimiter!r}です。",
    "folder": "フォルダ",
    "it cannot be opened": "開けません",
    "it cannot be reached": "接続できません",
    "it has more columns than the database allows": "データベースで許される数より列が多くあります",
    "it is cut off, or was changed in transit as text is; copy it again, as it is": "途中で切れているか、文字データとして転送される際に変わっています。もう一度そのままコピーしてください",
    "it is not utf-8 text but looks like {seems}; give its encoding (--encoding {seems}, or encoding in the plan)": "utf-8 ではなく {seems} のテキストのようです。文字コードを指定してください（--encoding {seems}、または計画の encoding）",
    "it is damaged or cut off, or not packed as its name says; copy it again, or pack it again": "壊れているか、途中で切れているか、拡張子の示す形式で圧縮されていません。もう一度コピーするか、圧縮し直してください",
    "it is damaged, or not of the kind that its name says": "壊れているか、拡張子の示す種類のファイルではありません",
    "it is empty": "空です",
    "it is locked by another user; try again later": "ほかの利用者がロックしています。後でもう一度試してください",
    "it is not a Parquet file, or it is damaged": "Parquet ファイルではないか、壊れています",
    "it is not a database of that kind": "その種類のデータベースではありません",
    "it is not an Excel file, or it is damaged or protected by a password": "Excel ファイルではないか、壊れているか、パスワードで保護されています",
    "it is not {encoding} text; give its encoding (--encoding, or encoding in the plan)": "{encoding} のテキストではありません。文字コードを指定してください（--encoding、または計画の encoding）",
    "its contents are damaged or not of the kind that its name says": "内容が壊れているか、拡張子の示す種類のものではありません",
    "leave out its long texts, or save it as CSV": "長い文字列を除くか、CSV で保存してください",
    "leave out the column {column!r}": "列{column!r}を除いてください",
    "line {row}": "{row} 行目",
    "pattern": "パターン",
    "something else in the database depends on it": "データベースのほかのものがこれに依存しています",
    "the database address is not valid.": "データベースのアドレスが正しくありません。",
    "the database needs a file, as in sqlite:///people.db.": "データベースには、sqlite:///people.db のようにファイルの指定が必要です。",
    "the database refused ({kind})": "データベースに拒否されました（{kind}）",
    "the database refused ({kind}, SQLSTATE {state})": "データベースに拒否されました（{kind}、SQLSTATE {state}）",
    "the disk is full": "ディスクがいっぱいです",
    "the password was refused; set PGPASSWORD or ~/.pgpass": "パスワードが拒否されました。PGPASSWORD または ~/.pgpass を設定してください",
    "the query is not valid SQL": "クエリが正しい SQL ではありません",
    "there is no encoding {encoding!r}.": "文字コード{encoding!r}はありません。",
    "there is no room left on the system to read it": "読み込むための空き容量がシステムにありません",
    "there is no such column": "そのような列はありません",
    "there is no such database": "そのようなデータベースはありません",
    "there is no such schema": "そのようなスキーマはありません",
    "there is no such table": "そのような表はありません",
    (
        "this command reads one file, and this is a database; open it with tokumei studio and export a plan, or "
        "put its address into a plan."
    ): (
        "このコマンドが読み込むのは一つのファイルですが、指定されたのはデータベースです。tokumei studio "
        "で開いて計画を書き出すか、計画にアドレスを書いてください。"
    ),
    "two columns would have the same name there": "書き出し先で二つの列が同じ名前になってしまいます",
    "write it without compression, if it is meant to be that large": "この大きさが正しい場合は、圧縮せずに書き出してください",
    "you do not have permission to connect": "接続する権限がありません",
    "you do not have permission to do that": "その操作をする権限がありません",
    "{error} {left}": "{error}{left}",
    "{file} cannot be read: {problem}.": "{file} を読み込めません。{problem}。",
    "{file} does not exist.": "{file} は存在しません。",
    "{file} has another type of {name!r} than {first} ({found}, not {kind}); convert one of them.": "{file} の{name!r}の型（{found}）が、{first} の型（{kind}）と異なります。どちらかを変換してください。",
    "{file} has other columns than {first}: it also has {columns}.": "{file} の列が {first} と異なります。{columns}が余分にあります。",
    "{file} has other columns than {first}: it lacks {columns}.": "{file} の列が {first} と異なります。{columns}がありません。",
    (
        "{file} unpacks to more than {size} and {far} times its size, counting its {cells:,} cells as they are "
        "stored in memory; unpack it first, if it is meant to be that large."
    ): (
        "{file} は展開すると、メモリに置いた {cells:,} 個のセルも含めて {size} かつ元の大きさの {far} "
        "倍を超えます。この大きさが正しい場合は、先に展開してください。"
    ),
    (
        "{file} unpacks to more than {size} and {far} times its size; unpack it first, if it is meant to be that large."
    ): (
        "{file} は展開すると {size} かつ元の大きさの {far} 倍を超えます。この大きさが正しい場合は、"
        "先に展開してください。"
    ),
    "{file} unpacks to more than {size} and {far} times its size; {advice}.": "{file} は展開すると {size} かつ元の大きさの {far} 倍を超えます。{advice}。",
    "{folder} cannot be written: {reason}.": "{folder} に書き出せません。{reason}。",
    "{name!r} cannot be a name in a database; rename the column.": "{name!r}はデータベースの名前として使えません。列の名前を変えてください。",
    "{name} cannot be read: it is damaged.": "{name} を読み込めません。壊れています。",
    "{one} and {other}": "{one}と{other}",
    "{path!r} cannot be the name of a file.": "{path!r}はファイル名として使えません。",
    "{path} already exists; choose another place, or overwrite it (overwrite=True, --overwrite).": "{path} はすでに存在します。別の場所にするか、上書きを指定してください（overwrite=True、--overwrite）。",
    (
        "{path} cannot be read: it is not utf-8 text but looks like utf-16; give its encoding (--encoding "
        "utf-16, or encoding in the plan)."
    ): (
        "{path} を読み込めません。utf-8 ではなく utf-16 のテキストのようです。"
        "文字コードを指定してください（--encoding utf-16、または計画の encoding）。"
    ),
    "{path} cannot be read: its first sheet is empty.": "{path} を読み込めません。最初のシートが空です。",
    "{path} cannot be read: {damaged}.": "{path} を読み込めません。{damaged}。",
    "{path} cannot be read: {problem}.": "{path} を読み込めません。{problem}。",
    "{path} cannot be read: {reason}.": "{path} を読み込めません。{reason}。",
    "{path} cannot be written: an earlier run was killed while replacing it. {left}": "{path} に書き出せません。以前の実行が、置き換えの途中で強制終了されました。{left}",
    "{path} cannot be written: {reason}.": "{path} に書き出せません。{reason}。",
    (
        "{path} contains other things than a release, so it is not overwritten; move them away, or choose "
        "another place."
    ): "{path} には公開データ以外のものがあるため、上書きしません。それらを移すか、別の場所を指定してください。",
    "{path} could not be written ({reason}). {left}": "{path} に書き出せませんでした（{reason}）。{left}",
    "{path} could not be written ({reason}); nothing was left behind.": "{path} に書き出せませんでした（{reason}）。書きかけのものは残っていません。",
    "{path} does not exist.": "{path} は存在しません。",
    (
        "{path} has cells as far out as row {rows:,} and column {columns:,}, and at most {most_cells:,} cells "
        "are read; clear those that do not belong to the table, or save the sheet as CSV."
    ): (
        "{path} には {rows:,} 行目、{columns:,} 列目までセルがありますが、読み込めるのは {most_cells:,} "
        "セルまでです。表に属さないセルを消去するか、シートを CSV で保存してください。"
    ),
    (
        "{path} has long texts that many cells share, and written out they are more than {size}; save the sheet as CSV."
    ): (
        "{path} には多くのセルが共有する長い文字列があり、書き下すと {size} を超えます。シートを CSV "
        "で保存してください。"
    ),
    "{path} has no known file extension; tokumei reads {read}.": "{path} の拡張子は知られていません。tokumei が読み込めるのは {read} です。",
    "{path} has no name of its own; name a place inside it.": "{path} には名前がありません。その中の場所を指定してください。",
    "{path} has only one column; its delimiter looks like {others!r}, so give it (--delimiter).": "{path} には列が一つしかありません。区切り文字は{others!r}のようなので、指定してください（--delimiter）。",
    ("{path} has {columns:,} columns, and at most {most_columns:,} are read; leave out those that are not needed."): (
        "{path} には {columns:,} 個の列がありますが、読み込めるのは {most_columns:,} 個までです。"
        "不要な列を除いてください。"
    ),
    "{path} holds no file of rows.": "{path} には行のファイルがありません。",
    (
        "{path} holds {inside}, whose file extension is not known; move it away, or name a pattern such as "
        "folder/*.parquet."
    ): (
        "{path} にある {inside} の拡張子は知られていません。ほかへ移すか、folder/*.parquet "
        "のようなパターンを指定してください。"
    ),
    "{path} is a file, not a release folder; it was left unchanged.": "{path} はファイルであり、公開データのフォルダではありません。変更していません。",
    "{path} is a symbolic link; name the place it points to, or another one.": "{path} はシンボリックリンクです。リンク先、または別の場所を指定してください。",
    (
        "{path} is a {kind}, and this command reads one file; give one of the files, and name all of them in the "
        "plan (tokumei sizes counts equivalence classes in all of them)."
    ): (
        "{path} は{kind}ですが、このコマンドが読み込むのは一つのファイルです。ファイルの一つを指定し、"
        "計画ではすべてを指定してください（tokumei sizes はすべてのファイルを通して同値類を数えます）。"
    ),
    "{path} is an Excel 97-2003 file; save it as .xlsx or CSV.": "{path} は Excel 97-2003 のファイルです。.xlsx または CSV で保存してください。",
    "{path} is an Excel file, which is only read in memory (engine local); save it as CSV or Parquet.": (
        "{path} は Excel ファイルで、メモリ上でのみ読み込めます（実行エンジン local）。CSV または Parquet "
        "で保存してください。"
    ),
    "{path} is larger than {size}, the most that is read.": "{path} は、読み込める上限の {size} を超えています。",
    "{path} is neither a file nor a folder; it was left unchanged.": "{path} はファイルでもフォルダでもありません。変更していません。",
    "{path} is neither a file nor a folder; save its rows in a file first.": "{path} はファイルでもフォルダでもありません。先に行をファイルに保存してください。",
    "{path} is not UTF-8 text.": "{path} は UTF-8 のテキストではありません。",
    "{path} unpacks to more than {size}; save the sheet as CSV.": "{path} は展開すると {size} を超えます。シートを CSV で保存してください。",
    "{path} was written by another run in the meantime; that one was kept, and this one was not written.": "{path} には、その間に別の実行が書き出しました。それを残し、今回のものは書き出していません。",
    "{path} was written. {left}": "{path} を書き出しました。{left}",
    "{path}: a column has no name in the first line.": "{path}：最初の行に、名前のない列があります。",
    (
        "{path}: a column name spans several lines; close the quotation mark in the first line, or write the "
        "name on one line."
    ): "{path}：列名が複数の行にまたがっています。最初の行で引用符を閉じるか、名前を 1 行で書いてください。",
    (
        "{path}: column names must be unique, and those of the columns {doubled} are not; does the first line of "
        "the file hold the names?"
    ): (
        "{path}：列名は一意でなければなりませんが、{doubled} 番目の列の名前が重複しています。"
        "ファイルの最初の行は列名ですか。"
    ),
    "{path}: column {broken} is not {encoding} text; give its encoding (--encoding, or encoding in the plan).": (
        "{path}：列{broken}は {encoding} のテキストではありません。文字コードを指定してください（--encoding、"
        "または計画の encoding）。"
    ),
    "{path}: column {name!r} mixes {kinds} in {values:row|rows}; give it one kind.": "{path}：列{name!r}では、{values:,} 行の中に{kinds}が混ざっています。種類を一つにそろえてください。",
    "{table!r} cannot be the name of a table; write table, or schema.table.": "{table!r}は表の名前として使えません。table または schema.table のように書いてください。",
    "{what}: {problem}.": "{what}。{problem}。",
    "{where} does not have as many fields as the first line ({found}, not {expected})": "{where}のフィールドの数が最初の行と異なります（{expected} ではなく {found}）",
    (
        "{where} does not have as many fields as the first line ({found}, not {expected}); is its delimiter "
        "another one? Give it (--delimiter, or delimiter in the plan)"
    ): (
        "{where}のフィールドの数が最初の行と異なります（{expected} ではなく {found}）。区切り文字が違いませんか。"
        "指定してください（--delimiter、または計画の delimiter）"
    ),
}
