import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { workspaceVerbs } from '@/lib/domains/workspaces/verbs'
import { undoFileWrite } from '@/lib/joined-verbs'
import { pool } from '@/lib/kernel/db'
import { newId } from '@/lib/kernel/new-id'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'

const hash = (text: string) => createHash('sha256').update(text).digest('hex')

/** Makes PostgreSQL end the first transaction that writes an audit row, as it ends one of a deadlock. */
const endFirst = `
  CREATE SEQUENCE ends;
  CREATE FUNCTION end_first() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF nextval('ends') = 1 THEN RAISE EXCEPTION 'deadlock detected' USING ERRCODE = '40P01'; END IF;
    RETURN NEW;
  END $$;
  CREATE TRIGGER end_first BEFORE INSERT ON audit_entries FOR EACH ROW EXECUTE FUNCTION end_first()`
const endNone = `
  DROP TRIGGER end_first ON audit_entries; DROP FUNCTION end_first; DROP SEQUENCE ends`

test('a write is undone, and in the audit, when the transaction must be made again after the file was put back', async () => {
  const admin = await addPerson('admin')
  const base = realpathSync(mkdtempSync(path.join(tmpdir(), 'undo-again-')))
  const folder = path.join(base, 'notes')
  const file = path.join(folder, 'a.md')
  mkdirSync(folder)
  writeFileSync(file, 'two\n')
  try {
    const { id: workspaceId } = await workspaceVerbs.create(admin, {
      name: 'notes',
      folder,
      writable: true,
    })
    const { id: writeId } = await db().fileVersion.create({
      data: {
        workspaceId,
        path: 'a.md',
        before: 'one\n',
        beforeBytes: 4,
        beforeHash: hash('one\n'),
        afterHash: hash('two\n'),
        runId: newId(),
        callId: 'call',
        userId: admin.actor.userId,
        userLabel: admin.actor.email,
      },
    })
    await pool().query(endFirst)
    await undoFileWrite(admin, { writeId }).finally(() => pool().query(endNone))
    expect(readFileSync(file, 'utf8')).toBe('one\n')
    const write = await db().fileVersion.findUniqueOrThrow({ where: { id: writeId } })
    expect(write.undoneByLabel).toBe(admin.actor.email)
    expect(await db().auditEntry.count({ where: { action: 'workspace.undo-write' } })).toBe(1)
  } finally {
    await db().workspace.deleteMany()
    rmSync(base, { recursive: true, force: true })
  }
})
