/** How a stored reason continues a sentence: `: the reason.`, or a full stop when none was given. */
export function because(reason: string): string {
  const text = reason.trim()
  if (text === '') return '.'
  return /[.!?]$/.test(text) ? `: ${text}` : `: ${text}.`
}
