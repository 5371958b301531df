import { ListSkeleton } from '@/components/ui/list-skeleton'

export default function SkillsLoading() {
  return <ListSkeleton label="Loading skills" rows={6} />
}
