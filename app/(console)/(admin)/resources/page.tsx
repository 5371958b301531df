import { redirect } from 'next/navigation'
import { requireAdmin } from '@/lib/auth/require-user'
import { hosts } from '@/lib/domains/hosts/shape'
import { pathOf } from '@/lib/protocol/resource'

/** Leads to the first kind of resource. */
export default async function ResourcesPage() {
  await requireAdmin()
  redirect(pathOf(hosts))
}
