import { expect, test } from 'vitest'
import { migrate } from '@/lib/installation/migrate'
import { databaseBefore } from '@/tests/support/database-before'

test('storages and assets of before stay, for admins only, and a deleted asset leaves its path free', async () => {
  const { database, client } = await databaseBefore('storages')
  try {
    await client.query(`INSERT INTO storages (id, name, "adminOnly") VALUES
      ('0198a000-0000-7000-8000-00000000c001', 'Open', false),
      ('0198a000-0000-7000-8000-00000000c002', 'Closed', true)`)
    const add = (uid: string, path: string) =>
      client.query(
        `INSERT INTO assets (uid, "storageId", path, "mediaType", bytes, checksum)
        VALUES ($1, '0198a000-0000-7000-8000-00000000c001', $2, 'image/png', 9, 'sha256:ab')`,
        [uid, path],
      )
    await add('0198a000-0000-7000-8000-00000000c003', 'logo.png')
    await migrate(database.url)
    const { rows } = await client.query(
      `SELECT name, enabled, "largestFile", "wholeSize", note, "createdByLabel" FROM storages ORDER BY name`,
    )
    const usual = { enabled: true, largestFile: 20, wholeSize: 1_024, note: null }
    expect(rows).toEqual(
      ['Closed', 'Open'].map((name) => ({ name, ...usual, createdByLabel: 'system' })),
    )
    const opened = await client.query('SELECT count(*)::int AS count FROM storage_groups')
    expect(opened.rows).toEqual([{ count: 0 }])
    const assets = await client.query('SELECT path, checksum, "alternativeText" FROM assets')
    expect(assets.rows).toEqual([{ path: 'logo.png', checksum: 'ab', alternativeText: '' }])
    const again = '0198a000-0000-7000-8000-00000000c004'
    await expect(add(again, 'logo.png')).rejects.toThrow('assets_path_key')
    await client.query('UPDATE assets SET "deletedAt" = now()')
    await add(again, 'logo.png')
  } finally {
    await client.end()
    await database.drop()
  }
})
