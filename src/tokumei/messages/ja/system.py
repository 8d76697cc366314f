"""Japanese for what the operating system and pydantic say; these templates stand nowhere in the source."""

from __future__ import annotations

from collections.abc import Mapping

MESSAGES: Mapping[str, str] = {
    "permission denied": "権限がありません",
    "no such file or directory": "ファイルまたはフォルダがありません",
    "no space left on device": "ディスクの空き容量がありません",
    "disk quota exceeded": "ディスクの割当量を超えています",
    "is a directory": "フォルダです",
    "not a directory": "フォルダではありません",
    "directory not empty": "フォルダが空ではありません",
    "file exists": "すでに存在します",
    "file name too long": "名前が長すぎます",
    "file too large": "ファイルが大きすぎます",
    "read-only file system": "読み取り専用のファイルシステムです",
    "operation not permitted": "許可されていない操作です",
    "input/output error": "入出力エラーです",
    "too many open files": "開いているファイルが多すぎます",
    "too many levels of symbolic links": "シンボリックリンクが循環しています",
    "device or resource busy": "使用中です",
    "invalid argument": "引数が正しくありません",
    "address already in use": "すでに使われています",
    "a finite number": "有限の数",
    "a valid date": "日付",
    "a valid date or datetime": "日付または日時",
    "a valid datetime": "日時",
    "a valid datetime or date": "日時または日付",
    "a valid string": "文字列",
    "a valid list": "リスト",
    "a valid tuple": "リスト",
    "a valid dictionary": "名前と値の表",
    "a valid boolean": "true か false",
}
