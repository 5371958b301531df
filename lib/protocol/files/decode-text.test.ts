import { describe, expect, it, test } from 'vitest'
import { decodeAsText, decodeText, encodingWords, undecodedParts } from './decode-text'

const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'))
const wide = (text: string) => new Uint8Array(Buffer.from(text, 'utf16le'))
const utf8 = (text: string) => new Uint8Array(Buffer.from(text))

describe('the encoding of a text', () => {
  it.each<[string, Uint8Array, Parameters<typeof decodeText>[1], string, string | null]>([
    ['a mark of UTF-8', bytes('\xef\xbb\xbfGr\xc3\xbc\xc3\x9fe'), {}, 'Grüße', null],
    ['a mark of UTF-16', wide('\ufeffGrüße\tß'), {}, 'Grüße\tß', 'utf-16le'],
    ['a mark before what its sender says', wide('\ufeffü'), { charset: 'utf-8' }, 'ü', 'utf-16le'],
    ['its sender', bytes('\xcf\xf0\xe8'), { charset: 'windows-1251' }, 'При', 'windows-1251'],
    [
      'its sender, in a name that is common',
      bytes('\x93\xfa\x87\x40'),
      { charset: 'CP932' },
      '日①',
      'shift_jis',
    ],
    [
      'its sender, in UTF-16 without a mark',
      wide('a;ü\n'),
      { charset: 'utf-16le' },
      'a;ü\n',
      'utf-16le',
    ],
    [
      'its sender before its declaration',
      bytes('<?xml version="1.0" encoding="koi8-r"?>\xcf'),
      { charset: 'windows-1251' },
      '<?xml version="1.0" encoding="koi8-r"?>П',
      'windows-1251',
    ],
    [
      'an XML declaration',
      bytes("<?xml version='1.0' encoding='Shift_JIS' ?><a>\x93\xfa</a>"),
      {},
      "<?xml version='1.0' encoding='Shift_JIS' ?><a>日</a>",
      'shift_jis',
    ],
    [
      'a <meta> of a page',
      bytes(
        '<!DOCTYPE html><meta http-equiv="Content-Type" content="text/html; charset=euc-jp">\xc6\xfc',
      ),
      {},
      '<!DOCTYPE html><meta http-equiv="Content-Type" content="text/html; charset=euc-jp">日',
      'euc-jp',
    ],
    [
      'a <meta> that is no comment',
      bytes('<html><!-- <meta charset="koi8-r"> --><meta charset=windows-1251>\xcf'),
      {},
      '<html><!-- <meta charset="koi8-r"> --><meta charset=windows-1251>П',
      'windows-1251',
    ],
    [
      'no <meta> of a text about pages',
      utf8('Write `<meta charset="koi8-r">` for Größe.'),
      {},
      'Write `<meta charset="koi8-r">` for Größe.',
      null,
    ],
    [
      'UTF-8 where a <meta> that can be read says UTF-16',
      utf8('<html><meta charset="utf-16">ü'),
      {},
      '<html><meta charset="utf-16">ü',
      null,
    ],
    ['UTF-8, which needs no name', utf8('Größe € 😀'), {}, 'Größe € 😀', null],
    ['an unknown name, without effect on ASCII', bytes('a,b'), { charset: 'cp850' }, 'a,b', null],
    [
      'an unknown name, which is told',
      utf8('ü'),
      { charset: 'cp850' },
      'ü',
      'utf-8 (assumed: it names "cp850", which is not known)',
    ],
    [
      'windows-1252 of a CSV without a name',
      bytes('Preis;5 \x80\r\nGr\xf6\xdfe;\x8e'),
      {},
      'Preis;5 €\r\nGröße;Ž',
      'windows-1252 (assumed: it names none and is not UTF-8)',
    ],
    [
      'windows-1252 under the name of Latin-1',
      bytes('5 \x80'),
      { charset: 'iso-8859-1' },
      '5 €',
      'windows-1252',
    ],
  ])('is named by %s', (_what, content, hints, text, words) => {
    const decoded = decodeText(content, hints)
    expect(decoded).toMatchObject({ text, undecoded: 0 })
    expect(decoded && encodingWords(decoded)).toBe(words)
  })
})

test('bytes with NUL, and those with controls that are not UTF-8, are no text', () => {
  const others = ['a\0b', 'Gr\xfc\x01', '\xe9\x1b[0m', '\xff\xfea\0\0\0', '\x80\x0b']
  for (const each of others) expect(decodeText(bytes(each)), JSON.stringify(each)).toBeNull()
  expect(decodeText(bytes('\x1b[31mred'))?.text).toBe('\x1b[31mred')
  expect(decodeText(bytes('\xe9\t\r\n\f'))?.text).toBe('é\t\r\n\f')
})

test('bytes that cannot be decoded are counted, and U+FFFD in the text itself is not', () => {
  const latin = decodeAsText(bytes('Gr\xfc\xdfe \xef\xbf\xbd'), { charset: 'utf-8' })
  expect(latin.text).toBe('Gr\ufffd\ufffde \ufffd')
  expect(undecodedParts(latin.undecoded, latin.text)).toEqual([
    { what: '2 characters', why: expect.stringContaining('not valid in its encoding') },
  ])
  expect(undecodedParts(latin.undecoded, 'Gr\ufffd')).toMatchObject([{ what: '1 character' }])
  expect(undecodedParts(latin.undecoded, 'other part')).toEqual([])
  const japanese = decodeAsText(bytes('\x93\xfa\xa0.'), { charset: 'shift_jis' })
  expect(japanese).toMatchObject({ text: '日\ufffd.', undecoded: 1 })
  expect(decodeAsText(utf8('\ufffd')).undecoded).toBe(0)
})

test('a character that the end of a part cuts is left out, and is no error', () => {
  const start = utf8('5 €').subarray(0, 4)
  expect(decodeText(start, { isCut: true })).toMatchObject({ text: '5 ', encoding: 'utf-8' })
  const half = bytes('a\x93')
  expect(decodeText(half, { charset: 'shift_jis', isCut: true })).toMatchObject({
    text: 'a',
    undecoded: 0,
  })
  expect(decodeText(half, { charset: 'shift_jis' })).toMatchObject({ undecoded: 1 })
})
