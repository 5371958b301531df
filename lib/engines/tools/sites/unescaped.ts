const named: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' },
}

/** Returns a text of XML or HTML with its numbers of characters and the usual names undone. Other names stay as they are. */
export function unescaped(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,4}));/gi, (written, ...found) => {
    const [decimal, hex, name]: (string | undefined)[] = found
    if (name !== undefined) return Object.hasOwn(named, name) ? (named[name] ?? written) : written
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
    return code <= 0x10_ff_ff ? String.fromCodePoint(code).toWellFormed() : written
  })
}
