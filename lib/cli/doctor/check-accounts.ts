import { db } from '@/lib/db'
import { type Finding, fail, ok } from './finding'

export async function checkAccounts(): Promise<Finding> {
  const where = { role: 'admin' as const, disabledAt: null, deletedAt: null }
  const admins = await db().user.count({ where })
  if (admins > 0) return ok('Accounts', `${admins} active ${admins === 1 ? 'admin' : 'admins'}`)
  return fail(
    'Accounts',
    'no admin can sign in',
    'Run: toolgate user add --role admin --email … --name …',
  )
}
