type Value = string | number | undefined

/** Returns an address such as "/users?search=ana&page=2". Empty values and page 1 are left out. */
export function addressOf(path: string, values: Record<string, Value>): string {
  const params = new URLSearchParams()
  for (const [key, value] of Object.entries(values)) {
    if (value === undefined || value === '' || (key === 'page' && value === 1)) continue
    params.set(key, String(value))
  }
  const text = params.toString()
  return text ? `${path}?${text}` : path
}
