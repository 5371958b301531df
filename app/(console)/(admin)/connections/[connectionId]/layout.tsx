import type { ReactNode } from 'react'
import { findConnectionDetails } from './find-connection-details'

type Props = { children: ReactNode; params: Promise<{ connectionId: string }> }

// Above the loading boundary, so that a connection that is not there is answered with status 404.
export default async function ConnectionLayout({ children, params }: Props) {
  await findConnectionDetails((await params).connectionId)
  return children
}
