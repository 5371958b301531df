import { expect, test } from 'vitest'
import { pool } from '@/lib/kernel/db'

const version = async () =>
  Number((await pool().query('SELECT version FROM policy_version')).rows[0].version)

const nobody = '00000000-0000-0000-0000-000000000000'

/** Changes of all that decisions are made from, or that runs begin with. Statements raise it that change no row, too. */
test.each([
  `DELETE FROM tool_overrides`,
  `INSERT INTO tool_groups_off ("toolGroup", "changedByLabel", reason) VALUES ('system', 'test', '')`,
  `UPDATE approval_rules SET enabled = false`,
  `DELETE FROM storages`,
  `DELETE FROM group_members`,
  `DELETE FROM configuration_groups`,
  `UPDATE configuration_skills SET enabled = false`,
  `UPDATE task_skills SET enabled = false`,
  `UPDATE skills SET enabled = false`,
  `UPDATE skill_versions SET "allowedTools" = NULL`,
  `UPDATE tasks SET prompt = ''`,
  `UPDATE users SET role = 'member' WHERE id = '${nobody}'`,
  `UPDATE users SET "disabledAt" = now() WHERE id = '${nobody}'`,
  `UPDATE configurations SET "systemPrompt" = ''`,
  `DELETE FROM configuration_fallbacks`,
  `UPDATE models SET enabled = false`,
  `UPDATE model_prices SET source = source`,
  `UPDATE connections SET enabled = false`,
  `UPDATE connections SET "baseUrl" = NULL`,
  `UPDATE connections SET "secretId" = NULL`,
  `UPDATE connections SET "headerNames" = '{}'`,
  `INSERT INTO settings (key, value, "updatedAt") VALUES ('freeze', '{}', now())`,
  `UPDATE settings SET value = 'null' WHERE key = 'freeze'`,
  `DELETE FROM settings WHERE key = 'freeze'`,
])('the version of the policy rises with %s', async (statement) => {
  const before = await version()
  await pool().query(statement)
  expect(await version()).toBeGreaterThan(before)
})

/** Bookkeeping that happens all the time. */
test.each([
  `UPDATE users SET "lastSignInAt" = now()`,
  `UPDATE connections SET "lastTest" = NULL`,
  // A replaced secret is stored with its connection; sealing it again with another key changes nothing.
  `UPDATE vault_secrets SET "keyVersion" = 2`,
  `INSERT INTO settings (key, value, "updatedAt") VALUES ('seen', '{}', now())`,
])('it stays with %s', async (statement) => {
  const before = await version()
  await pool().query(statement)
  expect(await version()).toBe(before)
})
