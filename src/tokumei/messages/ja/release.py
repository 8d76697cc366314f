"""Japanese for what is said by releases and their manifests."""

from __future__ import annotations

from collections.abc import Mapping

MESSAGES: Mapping[str, str] = {
    "The release has sets of labels for {name!r}, which has no labels.": "公開データの{name!r}にはラベルがないのに、ラベルの集合が公開されています。",
    (
        " A run that replaces it has moved the old one to {old}; if it was killed, the next run to this place "
        "puts it back."
    ): (
        "置き換え中の実行が、以前のものを {old} に移しています。その実行が強制終了された場合は、"
        "次にこの場所に書き出すときに元に戻されます。"
    ),
    " Give its folder, {folder}.": "そのフォルダ {folder} を指定してください。",
    "A group of the release has a box that does not fit the domain of {name!r}.": "公開データに、範囲が{name!r}の定義域に合わないグループがあります。",
    (
        "A spreadsheet would run the names of the columns {titles} in {what} as formulas; write it with "
        "formulas='quote' (--formulas quote) for people who open it in one."
    ): (
        "{what} の列名{titles}は、表計算ソフトで数式として実行されます。表計算ソフトで開く人のためには、"
        "formulas='quote'（--formulas quote）を指定して書き出してください。"
    ),
    (
        "A spreadsheet would run {cells:cell|cells} of {columns} and the names of the columns {titles} in {what} "
        "as formulas; write it with formulas='quote' (--formulas quote) for people who open it in one."
    ): (
        "{what} の{columns}にある {cells:,} 個のセルと列名{titles}は、表計算ソフトで数式として実行されます。"
        "表計算ソフトで開く人のためには、formulas='quote'（--formulas quote）を指定して書き出してください。"
    ),
    (
        "A spreadsheet would run {cells:cell|cells} of {columns} in {what} as formulas; write it with "
        "formulas='quote' (--formulas quote) for people who open it in one."
    ): (
        "{what} の{columns}にある {cells:,} 個のセルは、表計算ソフトで数式として実行されます。"
        "表計算ソフトで開く人のためには、formulas='quote'（--formulas quote）を指定して書き出してください。"
    ),
    "The channel of {name!r} does not fit its domain; the release is damaged.": "{name!r}の通信路が定義域に合いません。公開データが壊れています。",
    "The column {name!r} of the table {table!r} does not have the type that its manifest states.": "表{table!r}の列{name!r}の型が、マニフェストに記されたものと異なります。",
    "The groups of the release do not fit its rows; it is damaged.": "公開データのグループが行に合いません。公開データが壊れています。",
    "The groups of the release overlap, and it does not say which group a row is in.": "公開データのグループが重なっており、行がどのグループに属するかが示されていません。",
    "The manifest does not say how every column was made.": "マニフェストに、すべての列がどのように作られたかが示されていません。",
    "The manifest must state its {name} once, either as declared or as disclosed.": "マニフェストには {name} を、宣言または開示のどちらか一方として、一度だけ記さなければなりません。",
    (
        "The manifest would be larger than {size}, too large to be read back; make fewer groups, or coarsen the "
        "domains."
    ): ("マニフェストが {size} を超え、読み込めない大きさになります。グループを減らすか、定義域を粗くしてください。"),
    "The manifest would have too many parts to be read back; make fewer groups, or coarsen the domains.": "マニフェストの項目が多すぎて、読み込めなくなります。グループを減らすか、定義域を粗くしてください。",
    "The recoding of {name!r} does not fit its domain; the release is damaged.": "{name!r}の再符号化が定義域に合いません。公開データが壊れています。",
    "The release assumes another attacker than its method names.": "公開データが、その手法の示すものとは別の攻撃者を想定しています。",
    "The release contradicts itself about how many rows a person has.": "公開データの中で、1 人が何行もつかが矛盾しています。",
    "The release contradicts itself; it is damaged.": "公開データの内容が矛盾しています。壊れています。",
    "The release describes the recoding of {column!r} in a way that is not possible.": "公開データに記された{column!r}の再符号化は、ありえないものです。",
    "The release does not publish the rates that its method asks for, or publishes others.": "公開データが、手法の求める割合を公開していないか、別の割合を公開しています。",
    "The release forms equivalence classes, and does not state how small they may be.": "公開データは同値類を作っていますが、それがどこまで小さくなりうるかが記されていません。",
    "The release guarantees something else than its method and columns allow.": "公開データの保証が、その手法と列からありうるものと異なります。",
    "The release has a column that it calls an identifier, and identifiers are never released.": "公開データに識別子とされる列がありますが、識別子は公開されることがありません。",
    "The release has a quasi-identifier that it does not perturb.": "公開データに、攪乱されていない準識別子があります。",
    (
        "The release has format {found} and was written by tokumei {version}, and this version reads format "
        "{ours}; install tokumei {version} or newer."
    ): (
        "公開データの形式は {found} で、tokumei {version} で書き出されています。"
        "このバージョンが読み込めるのは形式 {ours} です。tokumei {version} 以降をインストールしてください。"
    ),
    "The release has format {found}, and this version reads format {ours}; install a newer tokumei.": (
        "公開データの形式は {found} ですが、このバージョンが読み込めるのは形式 {ours} です。新しい tokumei "
        "をインストールしてください。"
    ),
    (
        "The release has pseudonyms, which show which rows belong to one person, and a guarantee for people with "
        "several rows."
    ): "公開データには、どの行が同じ人のものかが分かる仮名と、複数の行をもつ人についての保証の両方があります。",
    "The release has recoded a column that it does not call a quasi-identifier.": "公開データで、準識別子とされていない列が再符号化されています。",
    "The release has rows that tell something else than they say; it is damaged.": "公開データに、自ら示すとされるものと異なるものを示す行があります。壊れています。",
    "The release has two labels of {name!r} for the same values.": "公開データの{name!r}に、同じ値を表すラベルが二つあります。",
    "The release has {columns:,} columns, and at most {most_columns:,} are read.": "公開データには {columns:,} 個の列がありますが、読み込めるのは {most_columns:,} 個までです。",
    "The release keeps a smaller k than its method asks for.": "公開データが満たす k が、手法の求める k より小さくなっています。",
    "The release keeps columns unchanged that its method perturbs.": "公開データで、手法が攪乱するはずの列がそのまま公開されています。",
    (
        "The release keeps columns unchanged that may show which rows belong to one person, against which it "
        "guarantees nothing for people with several rows."
    ): (
        "公開データでは、どの行が同じ人のものかが分かりうる列がそのまま公開されています。"
        "複数の行をもつ人について、それに対する保証は何もありません。"
    ),
    "The release left out another number of rows than it discloses.": "公開データで削除された行の数が、開示された数と異なります。",
    "The release makes guarantees about equivalence classes, but has no quasi-identifier.": "公開データは同値類についての保証を示していますが、準識別子がありません。",
    "The release must state its guarantee for membership secret and for membership known.": (
        "公開データには、誰が含まれるかが知られていない場合と知られている場合の両方の保証を記さなければなりません。"
    ),
    "The release names a column type {kind!r} that this version does not know.": "公開データに記された列の型{kind!r}は、このバージョンには分かりません。",
    "The release states another delta than its method asks for.": "公開データが、その手法で指定されたものとは別の delta を記しています。",
    "The release keeps a larger epsilon than its method asks for.": "公開データの epsilon が、その手法で指定された値を超えています。",
    "The release names another attacker than its method and columns allow.": "公開データが、その手法と列からありうるものとは別の攻撃者を記しています。",
    "The release publishes rates of {name!r} for fewer than k rows.": "公開データの{name!r}の割合が、k 行未満のものを公開しています。",
    "The release publishes rates of {name!r} that are not possible for its number of rows.": "公開データの{name!r}の割合が、その行数ではありえない値です。",
    "The release publishes rates of {name!r}, which is not a quasi-identifier.": "公開データは{name!r}の割合を公開していますが、この列は準識別子ではありません。",
    "The release publishes true rates, which reveal what its suppressed cells were.": "公開データが真の割合を公開しており、秘匿されたセルの値が分かってしまいます。",
    "The release relies on another number of rows per person than it discloses.": "公開データの保証が、開示されたものとは異なる 1 人あたりの行数に基づいています。",
    "The release relies on larger equivalence classes than its own rows have.": "公開データの保証が、実際の行より大きな同値類に基づいています。",
    "The release has drawn other numbers of rows from its groups than its method says.": "公開データの各グループから抽出された行数が、手法の指定と一致しません。",
    "The release relies on other rows than it was made from.": "公開データの保証が、元の行とは異なる行に基づいています。",
    "The release relies on other rows than those that it discloses.": "公開データの保証が、開示されたものとは異なる行に基づいています。",
    "The release relies on people who were not sampled, against an attacker who knows who was.": "公開データの保証が、誰が抽出されたかを知る攻撃者に対して、抽出されなかった人に基づいています。",
    "The release says how columns were recoded that were not recoded.": "公開データに、再符号化されていない列の再符号化のしかたが記されています。",
    "The release says that it was sampled from more rows than its method can have.": "公開データに記された抽出元の行数が、手法からありうる数を超えています。",
    "The release says that {name!r} has the same label in every row, but its labels overlap.": "公開データでは{name!r}がすべての行で同じ区分とされていますが、ラベルが重なっています。",
    "The release shuffles rows in blocks and states a guarantee that blocks cannot give.": "公開データはブロックごとに行を並べ替えていますが、それでは成り立たない保証を記しています。",
    "The release states a guarantee of another kind than its rows were made for.": "公開データの保証が、その行を作った手法のものとは別の種類です。",
    "The release states a guarantee that its own mechanism does not satisfy.": "公開データに、それ自身の機構が満たさない保証が記されています。",
    "The release states a guarantee that its own rows do not satisfy.": "公開データに、それ自身の行が満たさない保証が記されています。",
    "The release states a guarantee under other assumptions than its parts imply.": "公開データの保証の前提が、その内容から導かれるものと異なります。",
    "The release states a guarantee with numbers or a proof that it cannot have.": "公開データの保証の数値または証明が、ありえないものです。",
    "The release states a number of rows per person that is not possible.": "公開データに記された 1 人あたりの行数が、ありえない値です。",
    "The release states an epsilon that it cannot have.": "公開データに記された epsilon が、ありえない値です。",
    "The release states another epsilon for its rates than its method asks for.": "公開データに記された割合の epsilon が、手法の求めるものと異なります。",
    "The release states another epsilon for its rates than their noise has.": "公開データに記された割合の epsilon が、実際のノイズのものと異なります。",
    "The release states no guarantee.": "公開データに保証が記されていません。",
    "The rows of the release tell something else than its method says.": "公開データの行が示す内容が、その手法の記述と異なります。",
    "The release tells {name!r} otherwise than it describes the column.": "公開データでの{name!r}の示し方が、その列の記述と異なります。",
    "The release was perturbed in groups and also treated otherwise, which is not possible.": "公開データは、グループごとの攪乱と別の処理の両方を受けたとされていますが、それはありえません。",
    "The rows of the release are in a format that this version of tokumei does not know.": "公開データの行の形式は、このバージョンの tokumei には分かりません。",
    "The rows of the release tell one thing each and were also perturbed otherwise, which is not possible.": (
        "公開データの行は、それぞれ一部だけを示すものであると同時に別の方法でも攪乱されたとされていますが、"
        "それはありえません。"
    ),
    "The rows of this release were not perturbed in groups.": "この公開データの行は、グループごとに攪乱されたものではありません。",
    "The table {table!r}": "表{table!r}",
    "The table {table!r} does not have the columns that its manifest states.": "表{table!r}の列が、マニフェストに記されたものと異なります。",
    "The table {table!r} is not a release: its manifest is damaged.": "表{table!r}は公開データではありません。マニフェストが壊れています。",
    "There are no rates of {name!r}.{hint}": "{name!r}の割合はありません。{hint}",
    (
        "This release was drawn with a seed, which anyone may guess, so its guarantee would be void; make it "
        "without a seed, or write it with allow_seeded=True for tests and research."
    ): (
        "この公開データはシードを指定して作られています。シードは誰にでも推測されうるため、保証が無効になります。"
        "シードを指定せずに作るか、試験や研究のためであれば allow_seeded=True を指定して書き出してください。"
    ),
    "decay must be a whole number between 0 and 2^64.": "decay は 0 と 2^64 の間の整数でなければなりません。",
    "format must be one of {formats}. Got {format!r}.": "format は{formats}のいずれかでなければなりません。指定された値は{format!r}です。",
    (
        "Cells of {changed} cannot be kept exactly in a .{kind} file: text that is empty, ends in a space or is very long, whole numbers "
        "over 2^53, or times in fractions of a second; write Parquet or CSV."
    ): (
        "列{changed}のセルは .{kind} ファイルに正確に保存できません（空の文字列、空白で終わる文字列、非常に長い文字列、2^53 を超える整数、"
        "1 秒未満の時刻）。Parquet または CSV で書き出してください。"
    ),
    "formulas must be 'keep' or 'quote'. Got {formulas!r}.": "formulas は 'keep' か 'quote' でなければなりません。指定された値は{formulas!r}です。",
    "formulas='quote' is for format='csv': spreadsheets find no formulas in Parquet files.": (
        "formulas='quote' は format='csv' のときに使います。Parquet ファイルでは、"
        "表計算ソフトで数式が実行されることはありません。"
    ),
    "manifest.json cannot be understood at {path}; the release is damaged, or newer than this version.": "manifest.json の {path} を解釈できません。公開データが壊れているか、このバージョンより新しいものです。",
    "manifest.json contradicts itself; the release is damaged.": "manifest.json の内容が矛盾しています。公開データが壊れています。",
    (
        "manifest.json is not JSON, is nested too deeply, has too many parts, or has a number that is not "
        "finite; the release is damaged."
    ): (
        "manifest.json が JSON ではないか、入れ子が深すぎるか、要素が多すぎるか、有限でない数を含んでいます。"
        "公開データが壊れています。"
    ),
    "manifest.json is not the manifest of a release.": "manifest.json は公開データのマニフェストではありません。",
    "manifest.json was changed after it was written, so its guarantees cannot be trusted.": "manifest.json が書き出された後に変更されているため、その保証は信頼できません。",
    "rates must be finite and not negative.": "割合は、有限で負でない数でなければなりません。",
    "the rates of a column, including those of others and of missing cells, must add up to one.": "列の割合は、その他と欠測のものも含めて、合計が 1 でなければなりません。",
    "the rates of {column!r} count missing cells, but it may have none.": "{column!r}の割合が欠測を数えていますが、この列に欠測はありえません。",
    "the rates of {column!r} leave a share to others, but no value is left.": "{column!r}の割合がその他に割り当てられていますが、残りの値がありません。",
    "the rates of {column!r} name values that its domain does not have.": "{column!r}の割合に、定義域にない値があります。",
    "{file} cannot be read; the release is damaged.": "{file} を読み込めません。公開データが壊れています。",
    "{file} does not have the rows and columns that the manifest states.": "{file} の行と列が、マニフェストに記されたものと異なります。",
    "{file} was changed after it was written, or damaged in transit.": "{file} は書き出された後に変更されたか、転送の途中で壊れました。",
    "{folder} has no {file}; the release is damaged.": "{folder} に {file} がありません。公開データが壊れています。",
    "{folder} is not a release: it has no {manifest}.{inside}": "{folder} は公開データではありません。{manifest} がありません。{inside}",
    "{path} holds no rates. {error}": "{path} は割合のファイルではありません。{error}",
    "{path} holds no rates: it is not a JSON object.": "{path} は割合のファイルではありません。JSON のオブジェクトではありません。",
    (
        "{problem} In the release, {name!r} is recoded, and the release does not say how; recode the rows in the "
        "same way first."
    ): (
        "{problem}公開データでは{name!r}が再符号化されていますが、そのしかたは示されていません。"
        "先に行を同じように再符号化してください。"
    ),
    "{problem} Labels as in the release are accepted too.": "{problem}公開データと同じラベルも使えます。",
    "{what} does not have the rows and columns that the manifest states.": "{what}の行と列が、マニフェストに記されたものと異なります。",
    "The release was swapped and also treated otherwise, which is not possible.": "この公開データは値の入れ替えに加えて別の処理もされていますが、これはありえません。",
    "The release does not say of each of its columns whether it was swapped.": "この公開データは、各列が入れ替えられたかどうかを示していません。",
    "The release has a quasi-identifier that was not swapped.": "この公開データには、入れ替えられていない準識別子があります。",
    "The release was swapped, and does not state how small its groups may be.": "この公開データは値が入れ替えられていますが、グループの最小の大きさを示していません。",
}
