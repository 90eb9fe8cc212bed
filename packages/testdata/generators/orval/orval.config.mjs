export default {
  feed: {
    input: 'openapi.yaml',
    output: { target: 'generated/client.ts', client: 'fetch', baseUrl: { runtime: 'process.env.REFSERVER_URL' } },
  },
};
