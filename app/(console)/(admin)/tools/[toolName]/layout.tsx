import type { ReactNode } from 'react'
import { findTool } from './find-tool'

type Props = { params: Promise<{ toolName: string }>; children: ReactNode }

// The page checks access itself. The check here is above the loading boundary, so that the refusal has status 404.
export default async function ToolLayout({ params, children }: Props) {
  await findTool((await params).toolName)
  return children
}
