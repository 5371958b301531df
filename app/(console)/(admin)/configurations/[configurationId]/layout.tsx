import type { ReactNode } from 'react'
import { findConfiguration } from './find-configuration'

type Props = { params: Promise<{ configurationId: string }>; children: ReactNode }

// The pages guard themselves; asking here too, above their loading boundaries, lets the refusal carry status 404.
export default async function ConfigurationLayout({ params, children }: Props) {
  await findConfiguration((await params).configurationId)
  return children
}
