import type { ReactNode } from 'react'
import { findConfiguration } from './find-configuration'

type Props = { params: Promise<{ configurationId: string }>; children: ReactNode }

// The pages check access themselves. The check here is above their loading boundaries, so that the refusal has status
// 404.
export default async function ConfigurationLayout({ params, children }: Props) {
  await findConfiguration((await params).configurationId)
  return children
}
