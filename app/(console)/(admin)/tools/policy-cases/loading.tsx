export { ResourceSkeleton as default } from '@/components/resource/resource-skeleton'
