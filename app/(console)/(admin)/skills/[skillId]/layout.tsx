import type { ReactNode } from 'react'
import { findSkill } from './find-skill'

type Props = { params: Promise<{ skillId: string }>; children: ReactNode }

// The page guards itself; asking here too, above its loading boundary, lets the refusal carry status 404.
export default async function SkillLayout({ params, children }: Props) {
  await findSkill((await params).skillId)
  return children
}
