import type pg from 'pg'
import type { Ctx } from '@/lib/kernel/context'

/** Bytes of each file: noise, which does not get smaller when it is compressed. */
const fileBytes = 1024 * 1024

const contents = `
  INSERT INTO file_contents (sha256, content)
  SELECT encode(sha256(content), 'hex'), content FROM generate_series($1::int, $2::int) file
    CROSS JOIN LATERAL (SELECT string_agg(sha512(convert_to(file || ' ' || part, 'UTF8')), '' ORDER BY part) AS content
      FROM generate_series(1, ${fileBytes / 64}) part) c
  RETURNING sha256`

const files = `
  INSERT INTO files (id, "userId", sha256, name, type, bytes, "usedAt")
  SELECT gen_random_uuid(), $1, unnest, 'noise ' || ordinality, 'image/png', ${fileBytes}, now() FROM unnest($2::text[]) WITH ORDINALITY`

/** The earlier contents of workspace files that tools changed: text of some KiB. */
const versions = `
  INSERT INTO file_versions (id, "workspaceId", path, before, "beforeBytes", "beforeHash", "afterHash", "runId", "callId", "userId", "userLabel")
  SELECT gen_random_uuid(), w.id, 'notes/' || n || '.txt', repeat(md5(n::text) || E'\\n', 200), 6600, md5(n::text), md5('after ' || n),
    gen_random_uuid(), 'call-1', $1, 'person@example.org'
  FROM workspaces w CROSS JOIN generate_series(1, $2::int) n`

/** Adds files of 1 MiB each, in statements over some of them, and ten copies for undo in each workspace for each file. */
export async function addContents(client: pg.Client, { actor }: Ctx, count: number): Promise<void> {
  const atOnce = 25
  for (let first = 1; first <= count; first += atOnce) {
    const last = Math.min(count, first + atOnce - 1)
    const { rows } = await client.query<{ sha256: string }>(contents, [first, last])
    await client.query(files, [actor.userId, rows.map(({ sha256 }) => sha256)])
  }
  await client.query(versions, [actor.userId, count * 10])
}
