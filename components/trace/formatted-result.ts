/** JSON with indentation; null when the text is no JSON object or list, or is too long to be worth it. */
export function formattedResult(content: string): string | null {
  if (content.length > 1_000_000 || !/^\s*[[{]/.test(content)) return null
  try {
    return JSON.stringify(JSON.parse(content), null, 2)
  } catch {
    return null
  }
}
