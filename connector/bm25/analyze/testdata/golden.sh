#!/bin/sh
# Rebuilds the golden files of this folder with Apache Lucene 9.12.0, fetched from Maven Central.
# Needs JDK 11 or newer and mvn. The result is committed, so tests need neither.
set -eu
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/pom.xml" <<'POM'
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion><groupId>golden</groupId><artifactId>golden</artifactId><version>1</version>
  <dependencies>
    <dependency><groupId>org.apache.lucene</groupId><artifactId>lucene-core</artifactId><version>9.12.0</version></dependency>
    <dependency><groupId>org.apache.lucene</groupId><artifactId>lucene-analysis-common</artifactId><version>9.12.0</version></dependency>
  </dependencies>
</project>
POM
(cd "$work" && mvn -q dependency:copy-dependencies -DoutputDirectory=lib)
javac -cp "$work/lib/*" -d "$work" Golden.java
golden() { java -cp "$work/lib/*:$work" Golden "$@"; }
for analyzer in english standard cjk; do
  golden tokens $analyzer <texts.txt >texts.$analyzer.txt
done
golden tokens english <words.txt >words.english.txt
golden search 0.9 0.4 <small.tsv >small.hits.tsv
