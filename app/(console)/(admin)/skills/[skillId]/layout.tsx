import type { ReactNode } from 'react'
import { findSkill } from './find-skill'

type Props = { params: Promise<{ skillId: string }>; children: ReactNode }

// The page checks access itself. The check here is above the loading boundary, so that the refusal has status 404.
export default async function SkillLayout({ params, children }: Props) {
  await findSkill((await params).skillId)
  return children
}
