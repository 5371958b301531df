import type { ReactNode } from 'react'
import { findCheck } from '../find-checks'

type Props = { params: Promise<{ checkId: string }>; children: ReactNode }

// The page checks access itself. The check here is above the loading boundary, so that the refusal has status 404.
export default async function CheckLayout({ params, children }: Props) {
  await findCheck((await params).checkId)
  return children
}
