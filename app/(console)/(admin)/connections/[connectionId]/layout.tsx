import type { ReactNode } from 'react'
import { findConnectionDetails } from './find-connection-details'

type Props = { children: ReactNode; params: Promise<{ connectionId: string }> }

// The page checks access itself. The check here is above the loading boundary, so that the refusal has status 404.
export default async function ConnectionLayout({ children, params }: Props) {
  await findConnectionDetails((await params).connectionId)
  return children
}
