"""What the article says of whole numbers and their bytes."""

from __future__ import annotations

from pathlib import Path

import gcc
import ml_dtypes
import numpy as np
from labs.bits import integer_bits
from memory_article import says, whole


def test_one_pattern_and_its_meanings() -> None:
    says("1111 1111 0111 1100", "They are −132. They are also 65,404, and the two bytes `FF` and `7C`")
    shown = whole()
    assert (shown.bits, shown.as_signed, shown.as_unsigned) == ("1111111101111100", "−132", "65404")
    says("they are not a number at all; as a bfloat16 they are about −3.35 × 10³⁸")
    pattern = np.array(0xFF7C, np.uint16)
    assert np.isnan(pattern.view(np.float16))
    assert f"{float(pattern.view(ml_dtypes.bfloat16)):.2e}" == "-3.35e+38"
    says("In sixteen bits −132 and 65,404 differ by 65,536")
    assert 65404 + 132 == 2**16


def test_what_132_needs() -> None:
    says("Eight bits with a sign end at −128", "the low eight bits of −132 are `7C`, which is 124")
    assert whole().needs == 9 and whole(number="-128").needs == 8
    byte = whole(one_byte=True)
    assert (byte.as_signed, byte.hex) == ("124", "007C")


def test_negating() -> None:
    says("it makes 32,636 out of −132", "is off by one, always", "In eight bits, −128 inverted is 127")
    steps = {each.stage: each for each in integer_bits.run(integer_bits.Params(sign_only=True))}
    assert steps["negate"].rows[2].value == "32636"
    for number in ("-132", "7", "0"):
        off = {each.stage: each for each in integer_bits.run(integer_bits.Params(number=number, forget_one=True))}
        assert off["check"].rows[3].value == "−1"
    least = {each.stage: each for each in integer_bits.run(integer_bits.Params(number="-128", width=8))}
    assert (least["invert"].rows[1].value, least["negate"].rows[2].value) == ("127", "−128")


def test_the_number_without_a_negative(tmp_path: Path) -> None:
    says("In NumPy, `abs` of an int8 with that value is −128.", "C converts small integers to `int` first")
    assert abs(np.array([-128], np.int8)).tolist() == [-128]
    source = (
        '#include <stdio.h>\n#include <stdlib.h>\nint main(void) { signed char c = -128; printf("%d", abs(c)); }'
    )
    assert gcc.run(source, tmp_path).stdout == b"128"


def test_one_adder_two_flags() -> None:
    says("the bits are right for 200 and wrong for a signed reader, who sees −56")
    shown = whole(number="100", other="100", width=8)
    assert (shown.table[0].signed, shown.table[0].unsigned) == ("−56", "200")
    assert shown.overflow and not shown.carry


def test_six_of_twelve() -> None:
    says("of its twelve operations, six give the same bits for every pair of numbers, and six do not")
    shown = whole()
    assert len(shown.table) == 12 and sum(each.always for each in shown.table) == shown.same == 6
    says("Division and remainder, `<`, shifting right, the full product and widening do not")
    never = {each.name for each in shown.table if not each.always}
    assert never == {"a / b", "a % b", "a < b", "a >> b", "a × b, all bits", "a, twice as wide"}
    says("six signed results are wrong: −132 divided by 7 becomes 9,343, and −132 is no longer less than 7")
    mixed = {each.name: each for each in whole(one_circuit=True).table}
    assert sum(each.wrong for each in mixed.values()) == 6
    assert (mixed["a / b"].signed, mixed["a < b"].signed) == ("9343", "0")
    says("two small positive numbers the mistake does not show")
    assert not any(each.wrong for each in whole(number="12", other="7", one_circuit=True).table)


def test_where_this_bites_in_c(tmp_path: Path) -> None:
    says("So `-1 < 1u` is false: −1 becomes 4,294,967,295")
    source = '#include <stdio.h>\nint main(void) { printf("%d %u", -1 < 1u, (unsigned)-1); }'
    assert gcc.run(source, tmp_path).stdout == b"0 4294967295"


def test_byte_order() -> None:
    says("The number 1 written as four little-endian bytes and read as big-endian is 16,777,216")
    assert int.from_bytes((1).to_bytes(4, "little"), "big") == 16777216
    says("(1).to_bytes(4, \"little\") # b'\\x01\\x00\\x00\\x00'")
    assert (1).to_bytes(4, "little") == b"\x01\x00\x00\x00"
    assert (whole().little, whole().big) == (["7C", "FF"], ["FF", "7C"])


def test_exercises() -> None:
    assert [whole(number=number).needs for number in ("-128", "128", "-1")] == [8, 9, 1]
    assert whole(number="-2").as_unsigned == "65534"
    says("Read as a little-endian integer they are", "57 + 1,280 = 1,337", "it would be 956,628,992")
    assert int.from_bytes(bytes.fromhex("39050000"), "little") == 57 + 1280 == 1337
    assert int.from_bytes(bytes.fromhex("39050000"), "big") == 956628992
    says("−1 / 2 is 0, 65,535 / 2 is 32,767")
    shown = {each.name: each for each in whole(number="-1", other="2").table}
    assert (shown["a / b"].signed, shown["a / b"].unsigned) == ("0", "32767")
