import type { Metadata } from 'next'
import { readToolFilter } from '@/components/nouns/tool-filter'
import { requireAdmin } from '@/lib/auth/require-user'
import { listTools } from '@/lib/toolset/list-tools'
import { ToolsView } from './tools-view'

export const metadata: Metadata = { title: 'Tools' }

type SearchParams = Promise<Record<string, string | string[] | undefined>>

export default async function ToolsPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await requireAdmin()
  const [tools, params] = await Promise.all([listTools(ctx), searchParams])
  return <ToolsView tools={tools} initialFilter={readToolFilter(params)} />
}
