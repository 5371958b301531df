import type { ReactNode } from 'react'
import { findPanel } from './find-panel'

type Props = { params: Promise<{ panelId: string }>; children: ReactNode }

// The page checks access itself. The check here is above the loading boundary, so that the refusal has status 404.
export default async function PanelLayout({ params, children }: Props) {
  await findPanel((await params).panelId)
  return children
}
