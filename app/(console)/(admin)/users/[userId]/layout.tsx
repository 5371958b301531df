import type { ReactNode } from 'react'
import { requireAdmin } from '@/lib/auth/require-user'
import { findUserDetails } from './find-user-details'

type Props = { params: Promise<{ userId: string }>; children: ReactNode }

// The page guards itself; asking here too, above its loading boundary, lets the refusal carry status 404.
export default async function UserLayout({ params, children }: Props) {
  await findUserDetails(await requireAdmin(), (await params).userId)
  return children
}
