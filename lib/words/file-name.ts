const longestName = 120

/** Returns the name without folders and invisible characters; `file` when nothing is left. */
export function cleanFileName(name: string): string {
  const last = name.toWellFormed().split(/[/\\]/).at(-1) ?? ''
  const seen = last.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu, '')
  const plain = seen.replace(/\s+/g, ' ').trim().replace(/^\.+/, '')
  if (plain.length <= longestName) return plain || 'file'
  const ending = /\.\w{1,10}$/.exec(plain)?.[0] ?? ''
  return plain.slice(0, longestName - ending.length).toWellFormed() + ending
}
