-- AlterEnum
ALTER TYPE "Wire" ADD VALUE 'bedrock';
