"""The estimate of tokens is not too low for any real text."""

from __future__ import annotations

import base64
import json
import os
import random
import shutil
import string
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from mnemolog.answers.token_estimate import tokens_at_most

FOLDER_VARIABLE: Final = "MNEMOLOG_TOKENIZER"

COUNT: Final = """
const texts = JSON.parse(require("fs").readFileSync(0, "utf8"));
const counted = ["o200k_base", "cl100k_base"].map((name) => {
  const { encode } = require(`${process.argv[1]}/cjs/encoding/${name}`);
  return texts.map((text) => encode(text, { disallowedSpecial: new Set() }).length);
});
console.log(JSON.stringify(counted));
"""

SENTENCES: Final = (
    "The API is rate-limited to 100 requests a minute; retries back off exponentially.",
    "Deployments happen automatically whenever somebody merges a pull request to the main branch.",
    "Internationalisation and containerisation are the responsibility of the infrastructure team.",
    "src/mnemolog/interchange/exporting/__init__.py:123 raises FileNotFoundError on Windows.",
    "C:\\Users\\jo\\AppData\\Local\\Temp\\build-1234.log",
    "https://example.org/a/b?c=d&e=f#g and git+ssh://git@example.org:22/x/y.git@v1.2.3-rc.4",
    "kubectl -n prod get pods -o jsonpath='{.items[*].metadata.name}' | xargs -n1 echo",
    "2026-03-02T10:15:00+01:00 10.0.0.1:5432 192.168.100.0/24 a1b2c3d4-e5f6-7890-abcd-ef1234567890",
    "snake_case_name camelCaseNameWithParts SCREAMING_SNAKE_CASE kebab-case-name HTTPServerError2",
    "SELECT COUNT(*) FROM orders WHERE total > 99.95 AND status IN ('PAID', 'SHIPPED');",
    "def f(x: int) -> dict[str, list[int]]: return {k: [*v] for k, v in x.items()}  # why not?",
    "Die Datenbankmigrationen werden vor jeder Veröffentlichung händisch angewandt.",
    "Les tests d'intégration s'exécutent en parallèle à chaque déploiement; voilà l'été.",
    "Los despliegues ocurren automáticamente después de cada fusión en la rama principal.",
    "Các bài kiểm tra chạy song song. Triển khai diễn ra mỗi khi hợp nhất vào nhánh chính.",
    "Testy są uruchamiane równolegle, a wdrożenie następuje po każdym scaleniu z gałęzią główną.",
    "Тесты запускаются параллельно. Развёртывание происходит при каждом слиянии в основную ветку.",
    "Οι δοκιμές εκτελούνται παράλληλα. Η ανάπτυξη γίνεται σε κάθε συγχώνευση.",  # noqa: RUF001 - it is Greek
    "הבדיקות רצות במקביל. הפריסה מתבצעת בכל מיזוג לענף הראשי.",
    "يتم تشغيل الاختبارات بالتوازي. يتم النشر عند كل دمج في الفرع الرئيسي.",
    "परीक्षण समानांतर में चलते हैं। मुख्य शाखा में प्रत्येक विलय पर परिनियोजन होता है।",
    "การทดสอบทำงานแบบขนาน การปรับใช้เกิดขึ้นทุกครั้งที่รวมเข้ากับสาขาหลัก",
    "测试并行运行。每次合并到主分支时都会自动部署。数据库迁移在发布前手动执行。",
    "テストは並列で実行されます。メインへのマージごとに自動でデプロイされます。",
    "테스트는 병렬로 실행됩니다. 메인 브랜치에 병합할 때마다 자동으로 배포됩니다.",
    "ሙከራዎች በትይዩ ይሰራሉ። ማሰማራት በእያንዳንዱ ውህደት ይከናወናል።",
    "👩‍👩‍👧‍👦🇩🇪👍🏽❤️‍🔥🚀✅⚠️ ∑∫√≈≠≤≥→⇒∀∃∈",
    "a  b\tc   d " + "-" * 30 + " ==> !!! ??? ...",
)  # fmt: skip


def drawn(count: int, letters: str, seed: int) -> str:
    return "".join(random.Random(seed).choices(letters, k=count))  # noqa: S311 - no secret


def keys() -> list[str]:
    rows = []
    for seed in range(20):
        noise = random.Random(seed).randbytes(48)  # noqa: S311 - no secret
        rows += [noise.hex(), base64.urlsafe_b64encode(noise).decode().strip("=")]
        rows += [drawn(40, string.digits, seed), drawn(60, string.punctuation, seed)]
        rows += [drawn(30, string.ascii_lowercase, seed), drawn(30, string.ascii_letters, seed)]
    return rows


@pytest.fixture
def counted() -> Callable[[list[str]], list[list[int]]]:
    folder, node = os.environ.get(FOLDER_VARIABLE), shutil.which("node")
    package = Path(folder or "", "node_modules", "gpt-tokenizer").resolve()
    if node is None or folder is None or not package.is_dir():
        pytest.skip(
            "needs node and gpt-tokenizer: run npm install --prefix FOLDER gpt-tokenizer, and name "
            f"the FOLDER in {FOLDER_VARIABLE}"
        )

    def count(texts: list[str]) -> list[list[int]]:
        done = subprocess.run(
            [node, "-e", COUNT, str(package)],
            input=json.dumps(texts),
            capture_output=True,
            encoding="utf-8",
            check=True,
            timeout=120,
        )
        found: list[list[int]] = json.loads(done.stdout)
        return found

    return count


def test_no_real_text_has_more_tokens(counted: Callable[[list[str]], list[list[int]]]) -> None:
    texts = [*SENTENCES, *(" ".join(SENTENCES[at::7]) for at in range(7)), *keys()]
    estimates = [tokens_at_most(text) for text in texts]
    for counts in counted(texts):
        too_low = [
            (text, counted_one, estimate)
            for text, counted_one, estimate in zip(texts, counts, estimates, strict=True)
            if counted_one > estimate
        ]
        assert too_low == []


def test_english_is_not_counted_twice_over(
    counted: Callable[[list[str]], list[list[int]]],
) -> None:
    texts = [*SENTENCES[:3]]
    for counts in counted(texts):
        assert sum(map(tokens_at_most, texts)) < 2 * sum(counts)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("the word", 2),
        ("deployment", 3),
        ("a  b", 3),
        ("2026-03-02", 6),
        ("测试", 4),
        ("😀", 4),
        ("camelCaseNameWithParts", 7),
    ],
)
def test_each_kind_of_text_has_its_price(text: str, tokens: int) -> None:
    assert tokens_at_most(text) == tokens
