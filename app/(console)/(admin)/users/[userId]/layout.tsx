import type { ReactNode } from 'react'
import { findUserDetails } from './find-user-details'

type Props = { params: Promise<{ userId: string }>; children: ReactNode }

// The page guards itself; asking here too, above its loading boundary, lets the refusal carry status 404.
export default async function UserLayout({ params, children }: Props) {
  await findUserDetails((await params).userId)
  return children
}
