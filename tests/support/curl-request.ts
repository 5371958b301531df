/** Returns the request that a curl command makes. Throws for an option that these tests do not support. */
export function curlRequest(words: readonly string[]): Request {
  const headers = new Headers()
  let body: string | null = null
  let url: string | null = null
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? ''
    const next = () => {
      index += 1
      return words[index] ?? ''
    }
    if (word === '-H') {
      const [, name = '', value = ''] = /^([^:]+):\s*(.*)$/.exec(next()) ?? []
      headers.set(name, value)
    } else if (word === '-d') body = next()
    else if (/^https?:/.test(word)) url = word
    // -i shows the headers of the answer, -N does not wait for its end.
    else if (!['-i', '-N'].includes(word)) throw new Error(`curl ${word} is not known here.`)
  }
  if (url === null) throw new Error(`curl has no address: ${words.join(' ')}`)
  return new Request(url, { method: body === null ? 'GET' : 'POST', headers, body })
}
