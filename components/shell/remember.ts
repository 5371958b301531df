const yearSeconds = 31_536_000

/** Keeps in a cookie how the reader sees things, so that the server renders it right the next time. */
export function remember(name: string, value: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing on plain http and older browsers
  document.cookie = `${name}=${value}; path=/; max-age=${yearSeconds}; samesite=lax`
}
