// Writes the golden files of this folder with Apache Lucene itself. Run by golden.sh; not part of a build.
//
//   java Golden tokens ANALYZER <lines >tokens     one text a line in; its terms, blank-separated, out
//   java Golden search K1 B <lines >hits           "D\tid\ttext" lines to index, "Q\ttext" lines to search;
//                                                  out: query number, document id, score
import java.io.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import org.apache.lucene.analysis.*;
import org.apache.lucene.analysis.cjk.CJKAnalyzer;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.document.*;
import org.apache.lucene.index.*;
import org.apache.lucene.search.*;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.store.ByteBuffersDirectory;

public class Golden {
  public static void main(String[] args) throws Exception {
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    PrintStream out = new PrintStream(new BufferedOutputStream(System.out), false, "UTF-8");
    if (args[0].equals("tokens")) tokens(analyzer(args[1]), in, out);
    else search(Float.parseFloat(args[1]), Float.parseFloat(args[2]), in, out);
    out.flush();
  }

  static Analyzer analyzer(String name) {
    switch (name) {
      case "english": return new EnglishAnalyzer();
      case "standard": return new StandardAnalyzer();
      default: return new CJKAnalyzer(CharArraySet.EMPTY_SET);
    }
  }

  static List<String> terms(Analyzer a, String text) throws IOException {
    List<String> list = new ArrayList<>();
    try (TokenStream ts = a.tokenStream("f", text)) {
      CharTermAttribute term = ts.addAttribute(CharTermAttribute.class);
      ts.reset();
      while (ts.incrementToken()) list.add(term.toString());
      ts.end();
    }
    return list;
  }

  static void tokens(Analyzer a, BufferedReader in, PrintStream out) throws IOException {
    for (String line; (line = in.readLine()) != null; ) out.println(String.join(" ", terms(a, line)));
  }

  static void search(float k1, float b, BufferedReader in, PrintStream out) throws IOException {
    Analyzer a = new EnglishAnalyzer();
    ByteBuffersDirectory dir = new ByteBuffersDirectory();
    IndexWriterConfig config = new IndexWriterConfig(a);
    config.setSimilarity(new BM25Similarity(k1, b));
    IndexWriter w = new IndexWriter(dir, config);
    List<String> queries = new ArrayList<>();
    for (String line; (line = in.readLine()) != null; ) {
      String[] f = line.split("\t", -1);
      if (f[0].equals("Q")) { queries.add(f[1]); continue; }
      Document d = new Document();
      d.add(new StringField("id", f[1], Field.Store.YES));
      d.add(new TextField("text", f[2], Field.Store.NO));
      w.addDocument(d);
    }
    w.forceMerge(1);
    w.close();
    IndexSearcher s = new IndexSearcher(DirectoryReader.open(dir));
    s.setSimilarity(new BM25Similarity(k1, b));
    for (int q = 0; q < queries.size(); q++) {
      BooleanQuery.Builder query = new BooleanQuery.Builder();
      for (String t : terms(a, queries.get(q)))
        query.add(new TermQuery(new Term("text", t)), BooleanClause.Occur.SHOULD);
      for (ScoreDoc hit : s.search(query.build(), 1000).scoreDocs)
        out.println(q + "\t" + s.storedFields().document(hit.doc).get("id") + "\t" + hit.score);
    }
  }
}
