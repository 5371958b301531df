import type { ReactNode } from 'react'
import { requireUser } from '@/lib/auth/require-user'
import { findRun } from './find-run'

type Props = { params: Promise<{ runId: string }>; children: ReactNode }

// The page guards itself; asking here too, above its loading boundary, lets the refusal carry status 404.
export default async function RunLayout({ params, children }: Props) {
  await findRun(await requireUser(), (await params).runId)
  return children
}
