import fc from 'fast-check'
import { expect, test } from 'vitest'
import { searchKey } from '@/tests/support/search-server'
import { readResults } from './search-apis'

test('a service that repeats its key cannot bring it into a result', () => {
  const url = 'https://any.example/'
  const results = [
    {
      title: `Your key: ${searchKey}`,
      content: `${searchKey.slice(0, 9)}\u0000${searchKey.slice(9)}`,
      url,
    },
    { title: 'In the address', url: `${url}?key=${searchKey}` },
  ]
  const answer = Buffer.from(JSON.stringify({ results }))
  expect(readResults({ kind: 'searxng', key: searchKey }, answer, 5)).toMatchObject({
    results: [{ title: 'Your key: …', snippet: '…', url: new URL(url) }],
  })
})

test('the text of any result is two lines without control characters', () => {
  const anyText = fc.string({ unit: 'binary' })
  fc.assert(
    fc.property(anyText, anyText, (title, content) => {
      const url = 'https://any.example/'
      const answer = Buffer.from(JSON.stringify({ results: [{ title, content, url }] }))
      const read = readResults({ kind: 'searxng', key: null }, answer, 5)
      const [found] = 'results' in read ? read.results : []
      expect(found?.url.href).toBe(url)
      for (const line of [found?.title, found?.snippet]) {
        expect(line).not.toMatch(/\p{Cc}|\p{Zl}|\p{Zp}|\p{Cs}/u)
      }
    }),
  )
})
