import { createServer } from 'node:net'
import { beforeAll, expect, test } from 'vitest'
import { openConnection } from './backup/console-tables'
import { InstallationError } from './installation-error'
import { migrate } from './migrate'
import { holdsVault, requireDatabase } from './require-database'
import { planUpgrade } from './upgrade-plan'

let closedPort: number

beforeAll(async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  closedPort = Number(Object(server.address()).port)
  await new Promise((resolve) => server.close(resolve))
})

const opening = { migrate, planUpgrade, openConnection, holdsVault, requireDatabase }

test.each(Object.entries(opening))(
  '%s says in words that no PostgreSQL answers',
  async (_name, open) => {
    const failure = await open(`postgresql://ada:s3cret@127.0.0.1:${closedPort}/toolgate`).catch(
      (error: unknown) => error,
    )
    expect(failure).toBeInstanceOf(InstallationError)
    expect(String(failure)).toContain(`no PostgreSQL answers at 127.0.0.1:${closedPort}`)
    expect(String(failure)).not.toContain('s3cret')
  },
)
