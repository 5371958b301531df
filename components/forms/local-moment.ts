/** Returns an ISO time as the text of this browser's date field, in the reader's zone; "" when it is no time. */
export function localText(utc: string): string {
  const time = new Date(utc)
  if (Number.isNaN(time.getTime())) return ''
  const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 16)
}

/** Returns the field's text as ISO text in UTC; undefined when it is empty or incomplete. */
export function utcText(local: string): string | undefined {
  const time = new Date(local)
  return local === '' || Number.isNaN(time.getTime()) ? undefined : time.toISOString()
}
