import { expect, test } from 'vitest'
import { freePort } from '@/lib/installation/embedded-postgres'
import { requireDatabase } from '@/lib/installation/require-database'

const good = () => new URL(String(process.env.DATABASE_URL))

test('a usable database passes', async () => {
  await expect(requireDatabase(good().href)).resolves.toBeUndefined()
})

test.each<[string, (url: URL) => void | Promise<void>, RegExp]>([
  [
    'nobody listens',
    async (url) => {
      url.port = String(await freePort(0))
    },
    /no PostgreSQL answers at 127\.0\.0\.1:\d+ \(ECONNREFUSED\)/,
  ],
  [
    'the password is wrong',
    (url) => {
      url.password = 'hunter2'
    },
    /refuses the user "\w+" or its password/,
  ],
  [
    'the database is missing',
    (url) => {
      url.pathname = '/nowhere'
    },
    /there is no database "nowhere"/,
  ],
])('one sentence, without the password, when %s', async (_what, spoil, sentence) => {
  const url = good()
  await spoil(url)
  const error = await requireDatabase(url.href).catch((reason: Error) => reason)
  expect(error).toMatchObject({
    name: 'InstallationError',
    message: expect.stringMatching(sentence),
  })
  expect(String(error)).not.toContain(url.password)
})
