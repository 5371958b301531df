export { IndexedSkeleton as default } from '@/components/ui/page-skeletons'
