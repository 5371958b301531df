/** A browser without pages: keeps cookies per site and follows redirects. */
export class CookieJar {
  private readonly cookies = new Map<string, Map<string, string>>()

  valueOf(url: string, name: string): string | undefined {
    return this.cookies.get(new URL(url).origin)?.get(name)
  }

  set(url: string, name: string, value: string): void {
    const { origin } = new URL(url)
    const own = this.cookies.get(origin) ?? new Map<string, string>()
    this.cookies.set(origin, own.set(name, value))
  }

  /** Follows redirects. Returns the address of the first answer that is no redirect, and that answer. */
  async visit(
    address: string,
    init: RequestInit = {},
  ): Promise<{ url: string; response: Response }> {
    let [url, sent] = [address, init]
    for (let hops = 0; hops < 15; hops += 1) {
      const cookie = [...(this.cookies.get(new URL(url).origin) ?? [])]
        .map(([name, value]) => `${name}=${value}`)
        .join('; ')
      const headers = { ...sent.headers, cookie }
      const response = await fetch(url, { ...sent, headers, redirect: 'manual' })
      this.keep(url, response)
      const location = response.headers.get('location')
      if (!location) return { url, response }
      url = new URL(location, url).href
      sent = {}
    }
    throw new Error('Redirected in a circle.')
  }

  private keep(url: string, response: Response): void {
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      const at = pair.indexOf('=')
      const value = pair.slice(at + 1)
      const gone = /expires=Thu, 01 Jan 1970|max-age=0/i.test(line)
      this.set(url, pair.slice(0, at), gone ? '' : value)
    }
  }
}
